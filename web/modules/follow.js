/** Follow a run to its end, also over a lost connection. */

import { Failure } from "./api.js";

const PAUSES = [500, 1000, 2000, 4000, 8000];
const wait = (time) => new Promise((resolve) => setTimeout(resolve, time));

/**
 * Give on the events of a run until the server says that it has ended. Without events: those of
 * what still runs in the thread. `show` shows the state, and says whether something is to be done.
 */
export async function follow({ api, thread, events, take, show, lost, wanted }) {
  let last = "-1";
  for (let failures = 0; ; failures += 1) {
    try {
      for await (const event of events ?? []) {
        if (!wanted()) return;
        failures = 0;
        last = event.id ?? last;
        take(event);
      }
      if (!(await show())) return;
      const run = await api.activeRun(thread);
      if (!run) {
        await show(); // it ended in between
        return;
      }
    } catch (error) {
      if (!(error instanceof Failure && error.kind === "network")) throw error;
      if (failures >= PAUSES.length || !wanted()) throw error;
      lost();
    }
    if (events) await wait(PAUSES[Math.min(failures, PAUSES.length - 1)]);
    events = joined(api, thread, last);
  }
}

/** The events since the last one of the run that is going on; none when it has ended. */
async function* joined(api, thread, last) {
  const run = await api.activeRun(thread);
  if (run) yield* await api.join(thread, run, last);
}
