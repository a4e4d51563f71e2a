/** Elements made of data. Text only ever becomes text nodes: nothing here parses HTML. */

/**
 * Make an element.
 * @param {string} tag
 * @param {Record<string, string | boolean | null | undefined>} attributes true: present; null, false: not.
 * @param {...(Node | string)} children Strings become text.
 */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

/** A long text in a folded block, as it is. */
export function folded(title, body) {
  return el("details", {}, el("summary", {}, title), el("pre", { tabindex: "0" }, body));
}
