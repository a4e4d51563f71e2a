/** Server-sent events, read from the body of an answer. */

/** The events of a stream as they come; `id` is the last one that was sent. */
export async function* readEvents(body) {
  const state = { event: "", data: [], id: null };
  for await (const line of readLines(body)) {
    if (line !== "") {
      takeLine(line, state);
      continue;
    }
    if (state.data.length) {
      yield { event: state.event || "message", data: state.data.join("\n"), id: state.id };
    }
    state.event = "";
    state.data = [];
  }
}

function takeLine(line, state) {
  const colon = line.indexOf(":");
  if (colon === 0) return; // a comment: it keeps the connection alive
  const field = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
  if (field === "event") state.event = value;
  else if (field === "data") state.data.push(value);
  else if (field === "id") state.id = value;
}

/** Whole lines, without their ends; what the stream broke off is dropped. */
async function* readLines(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let parts = [];
  let carriage = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      let start = 0;
      for (let at = 0; at < value.length; at += 1) {
        const code = value.charCodeAt(at);
        if (code !== 10 && code !== 13) {
          carriage = false;
          continue;
        }
        if (!(code === 10 && carriage)) {
          yield parts.join("") + value.slice(start, at);
          parts = [];
        }
        carriage = code === 13;
        start = at + 1;
      }
      if (start < value.length) parts.push(value.slice(start));
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
