/**
 * A small, safe part of Markdown as DOM nodes: paragraphs, headings, lists, tables, quotes, code,
 * bold, emphasis. No HTML, no images; a link shows its full address, and only http(s) is one.
 */

import { el } from "./dom.js";
import { inline } from "./inline.js";

const LONGEST = 200_000;
const DEEPEST = 6;
const FENCE = /^ {0,3}(`{3,}|~{3,})([^`]*)$/;
const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*)$/;
const RULE = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])[ \t]+(\S.*)$/;
const QUOTE = /^ {0,3}> ?/;

/** Nodes for a text; what is very long stays as it is. */
export function render(text) {
  const fragment = document.createDocumentFragment();
  const long = text.length > LONGEST;
  const nodes = long ? [el("p", {}, text)] : blocks(text.split(/\r\n|\r|\n/), 0);
  for (const node of nodes) fragment.append(node);
  return fragment;
}

function blocks(lines, depth) {
  if (depth > DEEPEST) return [el("p", {}, lines.join("\n"))];
  const nodes = [];
  const readers = [fence, heading, rule, table, list, quote, paragraph];
  for (let at = 0; at < lines.length;) {
    if (!lines[at].trim()) {
      at += 1;
      continue;
    }
    for (const read of readers) {
      const found = read(lines, at, depth);
      if (found) {
        nodes.push(found.node);
        at = found.next;
        break;
      }
    }
  }
  return nodes;
}

function fence(lines, at) {
  const opening = FENCE.exec(lines[at]);
  if (!opening) return null;
  let next = at + 1;
  const closes = (line) => {
    const closing = FENCE.exec(line);
    return closing && !closing[2].trim() && closing[1].startsWith(opening[1]);
  };
  while (next < lines.length && !closes(lines[next])) next += 1;
  const code = el("code", {}, lines.slice(at + 1, next).join("\n"));
  return { node: el("pre", { tabindex: "0" }, code), next: next + 1 };
}

function heading(lines, at) {
  const found = HEADING.exec(lines[at]);
  if (!found) return null;
  // The page has the first two levels for itself.
  const level = Math.min(6, found[1].length + 2);
  return { node: el(`h${level}`, {}, inline(found[2].trim())), next: at + 1 };
}

function rule(lines, at) {
  return RULE.test(lines[at]) ? { node: el("hr"), next: at + 1 } : null;
}

function table(lines, at) {
  if (!lines[at].includes("|") || at + 1 >= lines.length) return null;
  const head = cells(lines[at]);
  const marks = cells(lines[at + 1]);
  if (head.length !== marks.length || !marks.every((mark) => /^:?-+:?$/.test(mark))) return null;
  let next = at + 2;
  const rows = [];
  while (next < lines.length && lines[next].includes("|")) {
    rows.push(row("td", cells(lines[next]).slice(0, head.length)));
    next += 1;
  }
  const body = el("table", {}, el("thead", {}, row("th", head)), el("tbody", {}, rows));
  return { node: el("div", { class: "table", tabindex: "0" }, body), next };
}

function row(tag, values) {
  const scope = tag === "th" ? "col" : null;
  return el(
    "tr",
    {},
    values.map((value) => el(tag, { scope }, inline(value))),
  );
}

/** The cells of a row; an escaped bar is no border. */
function cells(line) {
  const found = [];
  let cell = "";
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === "\\" && at + 1 < line.length) {
      cell += line[at] + line[at + 1];
      at += 1;
    } else if (line[at] === "|") {
      found.push(cell.trim());
      cell = "";
    } else {
      cell += line[at];
    }
  }
  found.push(cell.trim());
  if (found[0] === "") found.shift();
  if (found.at(-1) === "") found.pop();
  return found;
}

function list(lines, at, depth) {
  const first = ITEM.exec(lines[at]);
  if (!first || RULE.test(lines[at])) return null;
  const ordered = /\d/.test(first[2]);
  const kind = first[2].at(-1);
  const items = [];
  let next = at;
  while (next < lines.length) {
    const found = RULE.test(lines[next]) ? null : ITEM.exec(lines[next]);
    if (!found || found[2].at(-1) !== kind) break;
    const body = itemBody(lines, next, found);
    items.push(el("li", {}, unwrapped(blocks(body.lines, depth + 1))));
    next = body.next;
  }
  const start = ordered && first[2] !== `1${kind}` ? String(parseInt(first[2], 10)) : null;
  return { node: el(ordered ? "ol" : "ul", { start }, items), next };
}

/** The lines of one item without their indentation, and where the next block begins. */
function itemBody(lines, at, found) {
  const indent = lines[at].length - found[3].length;
  const body = [found[3]];
  let next = at + 1;
  for (; next < lines.length; next += 1) {
    const line = lines[next];
    const inside = line.length - line.trimStart().length >= Math.min(indent, 2);
    const after = lines.slice(next + 1, next + 2).join("");
    if (!line.trim()) {
      if (!/^ {2,}\S/.test(after) && !ITEM.test(after)) break;
    } else if (!inside && begins(line)) {
      break;
    } else if (!inside && !lines[next - 1].trim()) {
      break;
    }
    body.push(inside ? line.slice(Math.min(indent, line.length - line.trimStart().length)) : line);
  }
  return { lines: body, next };
}

/** A paragraph at the start of an item needs no block of its own. */
function unwrapped(nodes) {
  const [first, ...rest] = nodes;
  return first?.tagName === "P" ? [...first.childNodes, ...rest] : nodes;
}

function quote(lines, at, depth) {
  if (!QUOTE.test(lines[at])) return null;
  let next = at;
  const inner = [];
  while (next < lines.length && QUOTE.test(lines[next])) {
    inner.push(lines[next].replace(QUOTE, ""));
    next += 1;
  }
  return { node: el("blockquote", {}, blocks(inner, depth + 1)), next };
}

function paragraph(lines, at) {
  let next = at + 1;
  while (next < lines.length && lines[next].trim() && !begins(lines[next])) {
    if (table(lines, next)) break;
    next += 1;
  }
  const text = lines
    .slice(at, next)
    .map((line) => line.trimStart())
    .join("\n");
  return { node: el("p", {}, inline(text)), next };
}

/** Does a line begin something else than a paragraph? */
function begins(line) {
  return [FENCE, HEADING, RULE, ITEM, QUOTE].some((mark) => mark.test(line));
}
