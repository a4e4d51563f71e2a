/** What went wrong, in one place: the page's sentence, the server's words, and a way to go on. */

import { el } from "./dom.js";
import { said, say, t } from "./texts.js";

export class Notice {
  #box;

  constructor(box) {
    this.#box = box;
  }

  /** Say something until the next thing is said; `details` are the server's words. */
  show(key, { values = {}, details = [], retry = null } = {}) {
    const lines = details.map((line) => el("li", {}, line));
    const buttons = el("div", { class: "row end" });
    if (retry) buttons.append(this.#button("page-retry", retry));
    buttons.append(this.#button("page-close", null));
    const list = lines.length ? [el("ul", {}, ...lines)] : [];
    this.#box.replaceChildren(said("p", key, values), ...list, buttons);
  }

  clear() {
    this.#box.replaceChildren();
  }

  #button(key, act) {
    const button = el("button", { type: "button", class: act ? "" : "quiet" });
    if (act) say(button, key);
    else button.append("×");
    if (!act) {
      button.dataset.label = key;
      button.setAttribute("aria-label", t(key));
    }
    button.addEventListener("click", () => {
      this.clear();
      act?.();
    });
    return button;
  }
}
