/** The cards of one interrupt: what would be done, and a person's yes or no to each. */

import { el, folded } from "./dom.js";
import { currentLanguage, said, say } from "./texts.js";

const RISKS = ["safe", "guarded", "dangerous"];
const TICK = 10_000;

export class Cards {
  #place;
  #decide;
  #key = "";
  #timer = 0;
  #name;

  /** `decide` is called once, with a decision for each card; `name` begins the elements' ids. */
  constructor(place, decide, name = "card") {
    this.#place = place;
    this.#decide = decide;
    this.#name = name;
  }

  /** The tool calls that wait for a decision. */
  calls = [];

  /** The cards that wait for somebody else, where there are no others. */
  awaited = [];

  /** Show the cards of an interrupt, or none; true for new ones. The same cards stay as they are. */
  show(guardrail) {
    const cards = guardrail?.cards ?? [];
    const key = JSON.stringify([cards.map((card) => [card.id, card.digest]), guardrail?.problem]);
    const fresh = cards.length > 0 && key !== this.#key;
    if (key !== this.#key) this.#draw(cards, guardrail?.problem);
    this.#key = key;
    return fresh;
  }

  /** While an answer is on its way nothing can be pressed. */
  lock(locked) {
    const form = this.#place.querySelector("form");
    if (form) form.inert = locked;
  }

  /** A reader begins at the first card's heading, never on a button. */
  focus() {
    this.#place.querySelector("h2")?.focus();
  }

  #draw(cards, problem) {
    clearInterval(this.#timer);
    this.calls = cards.map((card) => card.tool_call_id);
    this.awaited = cards.every(waits) ? cards : [];
    if (!cards.length) {
      this.#place.replaceChildren();
      return;
    }
    const told = problem ? [el("p", { class: "problem", role: "alert" }, problem)] : [];
    const parts = cards.map((card, index) =>
      makeCard(card, `${this.#name}-${index}`, cards.length > 1),
    );
    const form = el("form", { autocomplete: "off" }, ...told, ...parts.map((part) => part.element));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#answer(cards, parts, event.submitter?.value);
    });
    form.addEventListener("keydown", (event) => {
      if (event.key === "Escape") form.querySelector("[value=reject]").focus();
    });
    if (cards.length > 1) form.append(sending(parts));
    this.#place.replaceChildren(form);
    const tick = () => parts.forEach((part) => part.tick());
    tick();
    this.#timer = setInterval(tick, TICK);
  }

  #answer(cards, parts, pressed) {
    if (this.#place.querySelector("form").inert) return; // it was answered
    const choices = parts.map((part) => part.picked() ?? pressed);
    if (!choices.every((choice) => ["approve", "reject"].includes(choice))) return;
    this.lock(true);
    this.#decide(
      cards.map((card, index) => ({
        type: choices[index],
        id: card.id,
        digest: card.digest, // what was approved is what was shown, or nothing
        ...(choices[index] === "reject" && { message: parts[index].reason() }),
      })),
    );
  }
}

/** Whether only somebody else may approve a card. */
function waits(card) {
  return card.approval === "peer" && !card.asker;
}

/** One card; with others beside it, it has a choice instead of buttons. */
function makeCard(card, name, several) {
  const risk = RISKS.includes(card.risk) ? card.risk : "dangerous";
  const reason = el("input", { id: `${name}-reason`, type: "text", maxlength: "1000" });
  const expiry = el("p", { class: "expiry" });
  const element = el(
    "section",
    {
      class: "card",
      role: risk === "dangerous" ? "alertdialog" : "group",
      "data-tone": card.tone,
      "data-card": card.id,
      "aria-labelledby": `${name}-title`,
      "aria-describedby": `${name}-prompt ${name}-facts`,
    },
    el("p", { class: "marks" }, el("strong", { class: "badge" }, card.badge), riskMark(risk)),
    el("h2", { id: `${name}-title`, tabindex: "-1" }, card.title),
    el("p", { id: `${name}-prompt`, class: "prompt" }, card.prompt),
    ...(card.note ? [el("p", { class: "note" }, card.note)] : []),
    facts(card, `${name}-facts`),
    ...folds(card),
    expiry,
    el(
      "div",
      { class: "field" },
      said("label", "page-card-reason", {}, { for: reason.id }),
      reason,
    ),
    several ? choice(name, card) : buttons(card),
  );
  const picked = () => element.querySelector("input[type=radio]:checked")?.value;
  const tick = () => tellExpiry(expiry, card.expires_at);
  return { element, tick, picked, reason: () => reason.value.trim() };
}

function riskMark(risk) {
  const words = said("span", `page-card-risk-${risk}`);
  return el("span", { class: "risk" }, said("span", "page-card-risk"), ": ", words);
}

/** What is at stake, each line as the server found it. */
function facts(card, id) {
  const rows = [];
  const add = (key, ...lines) =>
    rows.push(said("dt", key), ...lines.map((line) => el("dd", {}, line)));
  if (card.environment)
    add("page-card-environment", `${card.environment.title} (${card.environment.id})`);
  if (card.asker) add("page-card-asker", card.asker);
  const shown = (card.shown ?? []).map((line) => el("li", {}, line));
  if (card.impact) add("page-card-impact", card.impact);
  if (card.differences?.length) add("page-card-differences", ...card.differences);
  if (card.edited) rows.push(said("dt", "page-card-edited"));
  return el("div", { id }, el("ul", { class: "shown" }, ...shown), el("dl", {}, ...rows));
}

function folds(card) {
  const made = [
    folded(said("span", "page-card-arguments"), JSON.stringify(card.arguments, null, 2)),
  ];
  made[0].append(el("p", { class: "digest" }, said("span", "page-card-digest"), ` ${card.digest}`));
  if (card.user_text) made.unshift(folded(said("span", "page-card-asked"), card.user_text));
  return made;
}

/** What may be answered to a card, and the text that says so. */
function answers(card) {
  const [yes, no] = waits(card) ? ["continue", "withdraw"] : ["approve", "reject"];
  return { approve: `page-card-${yes}`, reject: `page-card-${no}` };
}

function buttons(card) {
  const { approve, reject } = answers(card);
  const looks = waits(card) ? "approve" : "primary approve";
  return el(
    "div",
    { class: "row end" },
    said("button", reject, {}, { value: "reject" }),
    said("button", approve, {}, { value: "approve", class: looks }),
  );
}

function choice(name, card) {
  const options = Object.entries(answers(card)).map(([value, key]) =>
    el(
      "label",
      {},
      el("input", { type: "radio", name: `${name}-choice`, value, required: true }),
      said("span", key),
    ),
  );
  return el("fieldset", {}, said("legend", "page-card-choice"), ...options);
}

/** The one button of several cards: they are decided together. */
function sending(parts) {
  const left = el("span", { class: "hint" });
  const button = said("button", "page-card-send", {}, { class: "primary" });
  const count = () => {
    const open = parts.filter((part) => !part.picked()).length;
    button.disabled = open > 0;
    if (open) say(left, "page-card-undecided", { left: open });
    else left.replaceChildren();
    if (!open) delete left.dataset.text;
  };
  for (const { element } of parts) element.addEventListener("change", count);
  count();
  return el("div", { class: "row end" }, left, button);
}

function tellExpiry(place, moment) {
  const end = new Date(moment);
  if (Number.isNaN(end.getTime())) return;
  const time = end.toLocaleTimeString(currentLanguage(), { hour: "2-digit", minute: "2-digit" });
  const minutes = Math.floor((end - Date.now()) / 60_000);
  if (end > Date.now()) say(place, "page-card-expiry", { time, minutes });
  else say(place, "page-card-expired", { time });
}
