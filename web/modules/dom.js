/** Elements made of data. Text only ever becomes text nodes: nothing here parses HTML. */

/** Make an element. Long lists of children are arrays: a call takes only so many arguments. */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false)
      node.setAttribute(name, value);
  }
  for (const child of children.flat()) {
    node.append(typeof child === "string" ? visible(child) : child);
  }
  return node;
}

/** A text whose marks that turn the direction of what follows are seen instead of obeyed. */
export function visible(text) {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
}

/** A long text in a folded block, as it is. */
export function folded(title, body) {
  return el("details", {}, el("summary", {}, title), el("pre", { tabindex: "0" }, body));
}
