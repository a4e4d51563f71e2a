/** The server's API. The token lives in a private field of one object, and nowhere else. */

import { readEvents } from "./sse.js";
import { currentLanguage } from "./texts.js";

const ASSISTANT = "superset";
const MODES = ["messages-tuple", "updates", "custom"];
const KINDS = {
  401: "token",
  403: "forbidden",
  404: "missing",
  409: "busy",
  413: "long",
  422: "invalid",
};

/** Why a request had no effect. `kind` names the text page-error-<kind>; `details` are the server's words. */
export class Failure extends Error {
  constructor(kind, status = 0, details = []) {
    super(kind);
    Object.assign(this, { kind, status, details });
  }
}

export class Api {
  #token = null;
  #base;

  /** `base`: where the server's routes begin. */
  constructor(base) {
    this.#base = base;
  }

  get signedIn() {
    return this.#token !== null;
  }

  /** Take a token; false when it can't be one. */
  signIn(text) {
    const token = text.trim().replace(/^Bearer\s+/i, "");
    if (!/^[\x21-\x7e]+$/.test(token)) return false;
    this.#token = token;
    return true;
  }

  signOut() {
    this.#token = null;
  }

  /** Does the server take the token? */
  async check() {
    await this.#json("POST", "assistants/search", { graph_id: ASSISTANT, limit: 1 });
  }

  async createThread() {
    return (await this.#json("POST", "threads", {})).thread_id;
  }

  async state(thread) {
    return this.#json("GET", `threads/${thread}/state`);
  }

  /** The id of the run that is going on in a conversation, or null. */
  async activeRun(thread) {
    const [run] = await this.#json("GET", `threads/${thread}/runs?limit=1`);
    return run && ["pending", "running"].includes(run.status) ? run.run_id : null;
  }

  async cancel(thread, run) {
    await this.#ask("POST", `threads/${thread}/runs/${run}/cancel`, {});
  }

  /** The cards of others to decide here, and how own ones stand. */
  async approvals(own) {
    const query = new URLSearchParams(own.map((id) => ["card", id]));
    return this.#json("GET", `agent/approvals?${query}`);
  }

  /** Decide a card of somebody else. */
  async decide(decision) {
    await this.#ask("POST", `agent/approvals?lang=${currentLanguage()}`, decision);
  }

  /** Start a run, which goes on when this page is gone; its events, once it was accepted. */
  async start(thread, request) {
    const body = {
      assistant_id: ASSISTANT,
      stream_mode: MODES,
      stream_resumable: true,
      on_disconnect: "continue",
      multitask_strategy: "reject", // another tab's run is not overtaken: 409
      ...request,
    };
    return this.#events(await this.#ask("POST", `threads/${thread}/runs/stream`, body));
  }

  /** The events of a run since one of them; "-1": from the beginning. */
  async join(thread, run, since) {
    const path = `threads/${thread}/runs/${run}/stream`;
    return this.#events(await this.#ask("GET", path, undefined, { "Last-Event-ID": since }));
  }

  async *#events(answer) {
    try {
      for await (const { event, data, id } of readEvents(answer.body)) {
        yield { event, data: JSON.parse(data), id };
      }
    } catch (error) {
      throw error instanceof Failure ? error : new Failure("network");
    }
  }

  async #json(method, path, body) {
    return (await this.#ask(method, path, body)).json();
  }

  async #ask(method, path, body, more = {}) {
    if (!this.signedIn) throw new Failure("token", 401);
    const headers = { Authorization: `Bearer ${this.#token}`, ...more };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    let answer;
    try {
      answer = await fetch(new URL(path, this.#base), {
        method,
        headers,
        body: body === undefined ? undefined : JSON.stringify(body),
        credentials: "omit",
        cache: "no-store",
        redirect: "error", // a redirect could carry the token elsewhere
      });
    } catch {
      throw new Failure("network");
    }
    if (answer.ok) return answer;
    if (answer.status === 401) this.signOut();
    const kind = KINDS[answer.status] ?? (answer.status >= 500 ? "server" : "invalid");
    throw new Failure(kind, answer.status, await readDetails(answer));
  }
}

/** What a refusal says: its sentence, or each bad field with what is wrong with it. */
async function readDetails(answer) {
  try {
    const { detail } = await answer.json();
    const items = Array.isArray(detail) ? detail : [detail];
    return items.filter(Boolean).slice(0, 20).map(sentence);
  } catch {
    return [];
  }
}

function sentence(item) {
  if (typeof item === "string") return item.slice(0, 1000);
  const place = (item.loc ?? []).filter((part) => part !== "body").join(".");
  return `${place}: ${item.msg ?? JSON.stringify(item)}`.slice(0, 1000);
}

/** A version 4 UUID for a message; crypto.randomUUID is missing where a page comes without TLS. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
