/** The page: who asks, what is said, what runs, and what waits for a decision. */

import { readAddress, readThread, writeThread } from "./modules/address.js";
import { Api, Failure, newId } from "./modules/api.js";
import { Cards } from "./modules/card.js";
import { Conversation } from "./modules/conversation.js";
import { follow } from "./modules/follow.js";
import { Notice } from "./modules/notice.js";
import { Peers } from "./modules/peers.js";
import { Scroller } from "./modules/scroll.js";
import { showContext } from "./modules/strip.js";
import { Turn } from "./modules/turn.js";
import * as texts from "./modules/texts.js";

const AGAIN = ["network", "server", "busy"]; // what may pass by itself
const at = (id) => document.getElementById(id);
const send = () => at("composer").requestSubmit();

class Page {
  #address = readAddress(location.search);
  #api = new Api(new URL("./", location.href.split(/[?#]/)[0]));
  #conversation = new Conversation(at("log"));
  #cards = new Cards(at("cards"), (decisions) => this.#decided(decisions));
  #notice = new Notice(at("notice"));
  #peers = new Peers(at("peers"), this.#api, {
    waiting: () => this.#cards.awaited.map((card) => card.id),
    decided: () => this.#goOn(),
    tell: (error) => this.#tell(error, null),
  });
  #scroller = new Scroller(at("scroller"));
  #thread = readThread();
  #run = null; // the id of the run that is followed
  #task = 0; // the number of what is being done: what is older has nothing to show any more
  #busy = false;
  #last = null; // the end of what was done last
  #chosen = false; // whether the person chose the language here

  /** Show the page. */
  async begin() {
    await texts.setLanguage(texts.firstLanguage(this.#address.language));
    showContext(at("context"), this.#address);
    this.#listen();
    this.#refresh();
    at("entries").hidden = false; // not before something listens
    at("token").focus();
  }

  #listen() {
    const on = (id, kind, act) => at(id).addEventListener(kind, act);
    on("entry", "submit", (event) => this.#signIn(event));
    on("composer", "submit", (event) => this.#say(event));
    on("message", "keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      send();
    });
    on("stop", "click", () => this.#stop());
    on("new", "click", () => this.#open(null));
    on("forget", "click", () => this.#signOut());
    on("language", "click", () => this.#switchLanguage());
    addEventListener("hashchange", () => {
      if (readThread() !== this.#thread) this.#open(readThread());
    });
  }

  /** Take the token out of its field at once; the field keeps nothing. */
  async #signIn(event) {
    event.preventDefault();
    const taken = this.#api.signIn(at("token").value);
    at("token").value = "";
    if (!taken) return this.#notice.show("page-token-bad");
    this.#refresh();
    at("message").focus();
    await this.#catchUp();
    await this.#peers.watch();
  }

  #signOut() {
    this.#api.signOut();
    this.#peers.stop();
    this.#open(null);
    at("token").focus();
  }

  async #switchLanguage() {
    try {
      await texts.setLanguage(texts.other());
      this.#chosen = true;
    } catch {
      this.#notice.show("page-error-network");
    }
  }

  /** The language of the answers: what the address asks for, until the person says otherwise. */
  #language() {
    const asked = this.#address.language;
    return this.#chosen || asked === undefined ? texts.currentLanguage() : asked;
  }

  /** Another conversation, or a new one; what runs in the old one goes on without this page. */
  #open(thread) {
    this.#task += 1;
    this.#thread = thread;
    writeThread(thread);
    this.#conversation.clear();
    this.#scroller.follow();
    this.#showCards([]);
    this.#notice.clear();
    this.#idle();
    at("message").focus();
    if (thread && this.#api.signedIn) this.#catchUp();
  }

  async #say(event) {
    event.preventDefault();
    const words = at("message").value.trim();
    if (!words || this.#busy) return;
    if (!this.#api.signedIn) {
      at("token").focus();
      return this.#notice.show("page-token-needed");
    }
    const message = { type: "human", content: words, id: newId() };
    const context = { language: this.#language() };
    if (this.#address.ui) context.ui = this.#address.ui;
    this.#scroller.follow(this.#conversation.put(message));
    const end = await this.#drive({ input: { messages: [message] }, context }, () => {
      if (at("message").value.trim() === words) at("message").value = "";
    });
    if (end === "refused") this.#conversation.remove(message.id);
    if (end === "failed") at("message").value ||= words;
    this.#refresh();
  }

  /** Send the decisions; what is typed in the box is none. */
  async #decided(decisions) {
    await this.#last; // the run that asked may not be at its end yet
    this.#conversation.settle([], true);
    this.#scroller.follow();
    const end = await this.#drive({ command: { resume: { decisions } } });
    if (end === "nothing") this.#notice.show("page-card-gone");
    if (end === "left" || !this.#api.signedIn) return;
    if (this.#cards.calls.length) this.#cards.focus();
    else at("message").focus();
  }

  /** Somebody else has decided: the run that asked goes on by itself. */
  #goOn() {
    const decisions = this.#cards.awaited.map(({ id, digest }) => ({ type: "approve", id, digest }));
    this.#cards.lock(true);
    this.#decided(decisions);
  }

  /**
   * Start a run and follow it. It was "refused"; the connection was "lost"; it "failed"; it found
   * "nothing" to do; it is "done"; or the person has "left" it.
   */
  async #drive(request, accepted = () => {}) {
    let end = "refused";
    let stays = () => true;
    const retry = () => (end === "refused" && request.input ? send() : this.#catchUp());
    await this.#work(retry, async (wanted) => {
      stays = wanted;
      const thread = this.#thread ?? (await this.#api.createThread());
      if (!wanted()) return;
      this.#thread = thread;
      writeThread(thread);
      this.#refresh();
      const events = await this.#api.start(thread, request);
      accepted();
      end = "lost";
      end = await this.#follow(events, wanted);
    });
    return stays() ? end : "left";
  }

  /** Show a conversation as the server keeps it and what still runs there; or try the token. */
  async #catchUp() {
    await this.#work(
      () => this.#catchUp(),
      async (wanted) => (this.#thread ? this.#follow(null, wanted) : this.#api.check()),
    );
  }

  async #follow(events, wanted) {
    const turn = new Turn(this.#conversation, (interrupts) => this.#showCards(interrupts));
    const thread = this.#thread;
    await follow({
      api: this.#api,
      thread,
      events,
      wanted,
      take: (event) => this.#take(event, turn),
      show: () => this.#show(thread, wanted),
      lost: () => texts.say(at("status"), "page-reconnecting"),
    });
    if (turn.error && wanted()) {
      this.#notice.show("page-error-run", { details: [turn.trouble.slice(0, 1000)] });
    }
    return turn.error ? "failed" : turn.updates || !events ? "done" : "nothing";
  }

  #take(event, turn) {
    turn.take(event);
    this.#run = turn.run;
    texts.say(at("status"), "page-working");
    this.#refresh();
  }

  /** Show the state; true when something is still to be done in it without a person. */
  async #show(thread, wanted) {
    const state = await this.#api.state(thread);
    if (!wanted()) return false;
    const interrupts = state.interrupts ?? [];
    this.#conversation.show(state.values?.messages ?? []);
    this.#showCards(interrupts);
    this.#refresh();
    return state.next.length > 0 && !interrupts.length;
  }

  #showCards([interrupt]) {
    const guardrail = interrupt?.value?.guardrail;
    if (interrupt && !guardrail?.cards?.length) this.#notice.show("page-error-card");
    const fresh = this.#cards.show(guardrail);
    this.#conversation.settle(this.#cards.calls, this.#busy);
    at("over-card").hidden = !this.#cards.calls.length;
    if (!fresh) return;
    if (this.#cards.awaited.length) this.#peers.watch();
    // Who is writing something is not interrupted.
    if (!at("message").value) this.#cards.focus();
    this.#scroller.show(at("cards").querySelector(".card"));
  }

  /** Stop the run; what it had begun is known to the server. */
  async #stop() {
    try {
      await this.#api.cancel(this.#thread, this.#run);
      this.#notice.show("page-stopped");
    } catch (error) {
      this.#tell(error, () => this.#stop());
    }
  }

  /** Do one thing, and say what went wrong with it; `wanted` tells `act` whether it still counts. */
  async #work(retry, act) {
    this.#task += 1;
    const task = this.#task;
    const wanted = () => task === this.#task;
    this.#busy = true;
    this.#notice.clear();
    this.#cards.lock(true);
    texts.say(at("status"), "page-working");
    this.#refresh();
    this.#last = act(wanted)
      .catch((error) => wanted() && this.#tell(error, retry))
      .finally(() => wanted() && this.#idle());
    await this.#last;
  }

  #idle() {
    this.#busy = false;
    this.#run = null;
    this.#cards.lock(false);
    this.#conversation.settle(this.#cards.calls, false);
    at("status").replaceChildren();
    delete at("status").dataset.text;
    this.#refresh();
  }

  #tell(error, retry) {
    if (!(error instanceof Failure)) {
      console.error("The page failed:", error?.name); // never what it holds
      this.#notice.show("page-error-page");
      return;
    }
    const { kind, status, details } = error;
    const again = AGAIN.includes(kind) ? retry : null;
    this.#notice.show(`page-error-${kind}`, { values: { status }, details, retry: again });
    this.#refresh();
    if (kind === "token") at("token").focus();
  }

  #refresh() {
    const { signedIn } = this.#api;
    at("entry").hidden = signedIn;
    at("forget").hidden = !signedIn;
    at("new").hidden = !this.#thread;
    at("empty").hidden = !this.#conversation.empty;
    at("send").disabled = this.#busy;
    at("stop").hidden = !this.#run;
    at("log").setAttribute("aria-busy", String(this.#busy));
    document.body.classList.toggle("busy", this.#busy);
  }
}

try {
  await new Page().begin();
} catch (error) {
  console.error("The page failed:", error?.name);
  at("empty").textContent = "The page could not be loaded. · Страница не загрузилась.";
}
