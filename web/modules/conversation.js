/** The messages of a conversation, each an element that is found again by the message's id. */

import { el, folded } from "./dom.js";
import { render } from "./markdown.js";
import { known, said, say, toolKey } from "./texts.js";

const SHOWN = 20_000;
const KINDS = ["result", "question", "denied", "cancelled", "unknown", "error"];

export class Conversation {
  #log;
  #messages = new Map(); // id -> {element, body, text, whole}
  #calls = new Map(); // id of a tool call -> its line
  #painting = new Set();

  constructor(log) {
    this.#log = log;
  }

  get empty() {
    return this.#messages.size === 0;
  }

  clear() {
    this.#log.replaceChildren();
    this.#messages.clear();
    this.#calls.clear();
  }

  /** Show exactly these messages; what is shown already stays untouched. */
  show(messages) {
    const ids = new Set(messages.map((message) => message.id));
    for (const id of [...this.#messages.keys()]) if (!ids.has(id)) this.remove(id);
    for (const message of messages) this.put(message);
  }

  remove(id) {
    const element = this.#messages.get(id)?.element;
    for (const [call, { line }] of this.#calls)
      if (element?.contains(line)) this.#calls.delete(call);
    element?.remove();
    this.#messages.delete(id);
  }

  /** Show a whole message; the element of a new one comes back. */
  put(message) {
    if (message.type === "human") return this.#putHuman(message);
    if (message.type === "ai") this.#putAnswer(message);
    else if (message.type === "tool") this.#putResult(message);
    return null;
  }

  /** Show a piece of an answer that is being made. */
  add(chunk) {
    const entry = this.#answer(chunk.id);
    if (entry.whole) return;
    entry.text += wordsOf(chunk);
    for (const call of chunk.tool_calls ?? []) if (call.name) this.#call(call, entry);
    this.#paintSoon(entry);
  }

  /** Say how far a tool is. */
  progress({ tool_call_id: id, done, total }) {
    this.#mark(id, "running", "page-tool-progress", { done, total });
  }

  /** Say of the calls without an answer where they stand. */
  settle(waiting, busy) {
    for (const [id, call] of this.#calls) {
      if (KINDS.includes(call.kind)) continue;
      const kind = waiting.includes(id) ? "waiting" : busy ? "running" : "open";
      this.#mark(id, kind, `page-tool-${kind}`);
    }
  }

  #putHuman(message) {
    if (this.#messages.has(message.id)) return null;
    const body = el("p", { class: "words" }, wordsOf(message));
    const element = el("article", { class: "human" }, said("h2", "page-you"), body);
    this.#messages.set(message.id, { element, body, text: "", whole: true });
    this.#log.append(element);
    return element;
  }

  #putAnswer(message) {
    const entry = this.#answer(message.id);
    for (const call of message.tool_calls ?? []) this.#call(call, entry);
    if (entry.whole) return;
    entry.text = wordsOf(message);
    entry.whole = true;
    this.#paint(entry);
  }

  #putResult(message) {
    const line = this.#calls.get(message.tool_call_id)?.line;
    if (!line || this.#messages.has(message.id)) return;
    const kind = KINDS.includes(message.artifact?.kind) ? message.artifact.kind : "result";
    this.#mark(message.tool_call_id, kind, `page-tool-${kind}`);
    const card = message.artifact?.card;
    if (card?.verdict === "deny") line.append(refusal(card));
    const words = wordsOf(message);
    const shown = words.length > SHOWN ? `${words.slice(0, SHOWN)}…` : words;
    line.append(folded(said("span", "page-tool-said"), shown));
    this.#messages.set(message.id, { element: line, body: line, text: "", whole: true });
  }

  #answer(id) {
    const found = this.#messages.get(id);
    if (found) return found;
    const body = el("div", { class: "words" });
    const calls = el("ul", { class: "calls" });
    const element = el("article", { class: "agent" }, said("h2", "page-agent"), calls, body);
    const entry = { element, body, calls, text: "", whole: false };
    this.#messages.set(id, entry);
    this.#log.append(element);
    return entry;
  }

  #call(call, entry) {
    if (!call.id || this.#calls.has(call.id)) return;
    const key = toolKey(call.name);
    const name = known(key) ? said("span", key) : el("span", {}, call.name);
    const state = el("span", { class: "state" });
    const line = el("li", {}, el("p", {}, name, " · ", state));
    entry.calls.append(line);
    this.#calls.set(call.id, { line, state, kind: "running" });
    this.#mark(call.id, "running", "page-tool-running");
  }

  #mark(id, kind, key, values) {
    const call = this.#calls.get(id);
    if (!call) return;
    call.kind = kind;
    call.line.dataset.kind = kind;
    say(call.state, key, values);
  }

  /** Paint once a frame, however fast the pieces come. */
  #paintSoon(entry) {
    if (!this.#painting.size) {
      requestAnimationFrame(() => {
        for (const one of this.#painting) if (!one.whole) this.#paint(one);
        this.#painting.clear();
      });
    }
    this.#painting.add(entry);
  }

  #paint(entry) {
    entry.body.replaceChildren(render(entry.text));
  }
}

/** Why a call was refused, as the server keeps it in the tool's message. */
function refusal(card) {
  const roles = card.required_roles?.length
    ? [el("p", {}, said("span", "page-card-roles"), `: ${card.required_roles.join(", ")}`)]
    : [];
  return el("div", { class: "refusal" }, el("p", {}, card.reason), ...roles);
}

/** The words of a message, whatever blocks its content has. */
export function wordsOf(message) {
  const { content } = message;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const words = (part) =>
    typeof part === "string" ? part : part?.type === "text" ? part.text : "";
  return content.map(words).join("");
}
