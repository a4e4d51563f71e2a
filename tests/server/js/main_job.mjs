// The main job as a web page would do it, with the SDK alone. Prints what it saw as JSON.
// Usage: node main_job.mjs begin | node main_job.mjs end THREAD
import { Client } from "@langchain/langgraph-sdk";

const { SERVER_URL, SERVER_TOKEN, JOB_CONTEXT } = process.env;
const client = new Client({
  apiUrl: SERVER_URL,
  apiKey: null,
  defaultHeaders: { Authorization: `Bearer ${SERVER_TOKEN}` },
});
const context = JSON.parse(JOB_CONTEXT);

// Run something on the thread; gives the kinds of events that came, and the card that is open then.
async function run(thread, payload) {
  const kinds = new Set();
  const words = [];
  const stream = client.runs.stream(thread, "superset", {
    streamMode: ["values", "updates", "messages-tuple", "custom"],
    ...payload,
  });
  for await (const { event, data } of stream) {
    kinds.add(event);
    if (event === "messages" && data[0].type === "AIMessageChunk") words.push(data[0].content);
  }
  const state = await client.threads.getState(thread);
  const cards = (state.tasks ?? []).flatMap((task) => task.interrupts).map((one) => one.value);
  const last = state.values.messages.at(-1);
  return { kinds: [...kinds].sort(), said: words.join(""), cards, answer: last.content };
}

const say = (thread, content) =>
  run(thread, { input: { messages: [{ role: "user", content }] }, context });
const decide = (thread, ...decisions) => run(thread, { command: { resume: { decisions } } });

const steps = {
  async begin() {
    const thread = (await client.threads.create()).thread_id;
    return {
      thread,
      asked: await say(thread, "Start maintenance on this dashboard"),
      rejected: await decide(thread, { type: "reject", message: "not now" }),
      again: await say(thread, "Start maintenance on this dashboard"),
      started: await decide(thread, { type: "approve" }),
    };
  },
  async end(thread) {
    return {
      ending: await say(thread, "End maintenance on this dashboard"),
      ended: await decide(thread, { type: "approve" }),
      history: (await client.threads.getHistory(thread, { limit: 100 })).length,
    };
  },
};

const [step, thread] = process.argv.slice(2);
console.log(JSON.stringify(await steps[step](thread)));
