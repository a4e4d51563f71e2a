/** The marks inside of a line of Markdown, as DOM nodes. */

import { el } from "./dom.js";

const DEEPEST = 8;
const LONGEST_ADDRESS = 2000;
const ESCAPED = /[!-/:-@[-`{-~]/;
const AUTOLINK = /<(https?:\/\/[^\s<>]{1,2000})>/y;
const WORD = /[\p{L}\p{N}]/u;

/** Nodes and strings for a text: code, bold, emphasis, links, and the rest as it is. */
export function inline(text, depth = 0) {
  return new Reader(text, depth).read();
}

class Reader {
  #nodes = [];
  #plain = "";
  #found = new Map(); // mark -> where it was looked for, and where it stands: long texts stay fast

  constructor(text, depth) {
    this.text = text;
    this.depth = depth;
    this.at = 0;
  }

  read() {
    while (this.at < this.text.length) {
      if (this.depth <= DEEPEST && this.#mark()) continue;
      this.#plain += this.text[this.at];
      this.at += 1;
    }
    this.#flush();
    return this.#nodes;
  }

  /** Read a mark at this place, if there is one. */
  #mark() {
    switch (this.text[this.at]) {
      case "\\":
        return this.#escape();
      case "`":
        return this.#code();
      case "*":
      case "_":
        return this.#emphasis();
      case "!":
        return this.text[this.at + 1] === "[" && this.#link(1); // an image is only its address
      case "[":
        return this.#link(0);
      case "<":
        return this.#autolink();
      default:
        return false;
    }
  }

  #flush() {
    if (this.#plain) this.#nodes.push(this.#plain); // `el` makes text of it
    this.#plain = "";
  }

  #push(next, nodes) {
    this.#flush();
    for (const node of nodes) this.#nodes.push(node);
    this.at = next;
    return true;
  }

  #escape() {
    const next = this.text[this.at + 1];
    if (next === "\n")
      this.at += 1; // a hard line break: the break itself is shown
    else if (next !== undefined && ESCAPED.test(next)) this.at += 2;
    else return false;
    this.#plain += next === "\n" ? "" : next;
    return true;
  }

  #code() {
    let size = 1;
    while (this.text[this.at + size] === "`") size += 1;
    const ticks = "`".repeat(size);
    const start = this.at + size;
    const fits = (at) => this.text[at - 1] !== "`" && this.text[at + size] !== "`";
    const end = this.#find(ticks, start, fits);
    if (end < 0) {
      this.#plain += ticks;
      this.at = start;
      return true;
    }
    const body = this.text.slice(start, end).replace(/^ (.*\S.*) $/s, "$1");
    return this.#push(end + size, [el("code", {}, body)]);
  }

  #emphasis() {
    const sign = this.text[this.at];
    const size = this.text[this.at + 1] === sign ? 2 : 1;
    const mark = sign.repeat(size);
    const start = this.at + size;
    if (/^\s?$/.test(this.text[start] ?? "") || this.text[start] === sign) return false;
    if (sign === "_" && WORD.test(this.text[this.at - 1] ?? "")) return false;
    const end = this.#find(mark, start + 1, (at) => this.#closes(at, sign, size));
    if (end < 0) return false;
    const inner = inline(this.text.slice(start, end), this.depth + 1);
    return this.#push(end + size, [el(size === 2 ? "strong" : "em", {}, inner)]);
  }

  #closes(at, sign, size) {
    const before = this.text[at - 1];
    const after = this.text[at + size] ?? "";
    if (/\s/.test(before) || this.#escapedAt(at)) return false;
    if (size === 1 && (after === sign || before === sign)) return false;
    return sign !== "_" || !WORD.test(after);
  }

  #link(skip) {
    const start = this.at + skip + 1;
    const middle = this.#find("](", start, (at) => !this.#escapedAt(at));
    const end = middle < 0 ? -1 : this.#find(")", middle + 2, (at) => !this.#escapedAt(at));
    if (end < 0 || end - middle > LONGEST_ADDRESS) return false;
    const label = inline(this.text.slice(start, middle), this.depth + 1);
    const [raw] = this.text
      .slice(middle + 2, end)
      .trim()
      .split(/\s/);
    const target = raw.replace(/^<|>$/g, "").replace(/\\([!-/:-@[-`{-~])/g, "$1");
    return this.#push(end + 1, [...label, " (", address(target), ")"]);
  }

  #autolink() {
    AUTOLINK.lastIndex = this.at;
    const found = AUTOLINK.exec(this.text);
    return found ? this.#push(AUTOLINK.lastIndex, [address(found[1])]) : false;
  }

  /** Where the next mark stands that fits, or -1; which ones fit depends on the mark alone. */
  #find(mark, from, fits) {
    const known = this.#found.get(mark);
    if (known && from >= known.from && (known.at < 0 || known.at >= from)) return known.at;
    let at = this.text.indexOf(mark, from);
    while (at >= 0 && !fits(at)) at = this.text.indexOf(mark, at + 1);
    this.#found.set(mark, { from, at });
    return at;
  }

  #escapedAt(at) {
    let slashes = 0;
    while (this.text[at - 1 - slashes] === "\\") slashes += 1;
    return slashes % 2 === 1;
  }
}

/** An address as it is; one of the web can be followed. */
function address(target) {
  let url;
  try {
    url = new URL(target);
  } catch {
    return target;
  }
  if (!["http:", "https:"].includes(url.protocol)) return target;
  return el("a", { href: url.href, rel: "noopener noreferrer", target: "_blank" }, url.href);
}
