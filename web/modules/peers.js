/** Four eyes: the cards of others to decide here, and what others decided. */

import { Cards } from "./card.js";

const SOON = 4_000; // while something of one's own waits
const LATER = 20_000;

export class Peers {
  #section;
  #cards;
  #api;
  #waiting;
  #decided;
  #look = 0; // the number of the look that counts
  #timer = 0;
  #gone = ""; // what was gone on with: once is enough

  /** `waiting`: ids of own cards that wait for others; `decided`: when all were; `tell`: faults. */
  constructor(section, api, { waiting, decided, tell }) {
    this.#section = section;
    this.#api = api;
    this.#waiting = waiting;
    this.#decided = decided;
    const place = section.querySelector("div");
    this.#cards = new Cards(place, (decisions) => this.#answer(decisions, tell), "peer");
  }

  /** Look now and, where there are second persons, again and again. */
  async watch() {
    this.#look += 1;
    const look = this.#look;
    clearTimeout(this.#timer);
    // What fails may succeed the next time.
    const found = await this.#api.approvals(this.#waiting()).catch(() => null);
    if (look !== this.#look) return;
    this.#show(found?.cards ?? []);
    if ((found && !found.four_eyes) || !this.#api.signedIn) return;
    const own = this.#waiting();
    const open = own.filter((id) => !["approved", "rejected"].includes(found?.mine[id]));
    this.#timer = setTimeout(() => this.watch(), own.length ? SOON : LATER);
    const gone = own.join();
    if (!gone || open.length || gone === this.#gone) return;
    this.#gone = gone;
    this.#decided();
  }

  /** Look no more. */
  stop() {
    this.#look += 1;
    clearTimeout(this.#timer);
    this.#show([]);
  }

  #show(cards) {
    this.#cards.show({ cards });
    this.#section.hidden = !cards.length;
  }

  async #answer(decisions, tell) {
    try {
      for (const { id, digest, type, message } of decisions)
        await this.#api.decide({ id, digest, decision: type, reason: message ?? "" });
    } catch (error) {
      tell(error);
    }
    this.#cards.lock(false);
    await this.watch();
  }
}
