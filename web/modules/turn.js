/** What the events of one run show, and how it went. */

const ANSWERS = "call_model"; // the step whose words are for the person

export class Turn {
  run = null; // its id
  updates = 0; // how many steps said something
  error = null;
  #conversation;
  #showCards;

  constructor(conversation, showCards) {
    this.#conversation = conversation;
    this.#showCards = showCards;
  }

  /** Show one event. */
  take({ event, data }) {
    if (event === "metadata") this.run = data.run_id;
    else if (event === "error") this.error = data ?? {};
    else if (event === "messages") this.#message(...data);
    else if (event === "updates") this.#update(data);
    else if (event === "custom" && data?.type === "tool_progress")
      this.#conversation.progress(data);
  }

  /** What is known of the error, in the server's words. */
  get trouble() {
    const { error, message } = this.error;
    return [error, message].filter((part) => part && typeof part === "string").join(": ");
  }

  #message(message, { langgraph_node: node = ANSWERS } = {}) {
    if (message?.type !== "AIMessageChunk") this.#conversation.put(message);
    // A model that a tool asks is not who answers.
    else if (node === ANSWERS) this.#conversation.add(message);
  }

  #update(data) {
    this.updates += 1;
    if (data.__interrupt__) {
      this.#showCards(data.__interrupt__);
      return;
    }
    // The cards were decided, or a new message has withdrawn them.
    if ("confirm" in data || "inject_context" in data) this.#showCards([]);
    for (const update of Object.values(data)) {
      for (const message of update?.messages ?? []) this.#conversation.put(message);
    }
  }
}
