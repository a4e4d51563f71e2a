/** What the page's address says: the object the user came from, the language, the conversation. */

export const FIELDS = ["objectType", "objectId", "objectName", "envId", "route", "contextVersion"];

const THREAD = /^#thread=([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** Read the query. Values go to the server as they are, which says what is wrong with them. */
export function readAddress(search) {
  const query = new URLSearchParams(search);
  const ui = {};
  for (const name of FIELDS) {
    const value = one(query, name);
    if (value !== undefined) ui[name] = name === "contextVersion" ? number(value) : value;
  }
  const unknown = [...new Set(query.keys())].filter((name) => ![...FIELDS, "lang"].includes(name));
  return { ui: Object.keys(ui).length ? ui : null, language: one(query, "lang"), unknown };
}

/** A parameter: nothing when it is absent or empty, null for "null", a list when it is repeated. */
function one(query, name) {
  const values = query.getAll(name);
  if (values.length > 1) return values;
  if (!values.length || values[0] === "") return undefined;
  return values[0] === "null" ? null : values[0];
}

function number(value) {
  return typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value;
}

/** The conversation that the fragment names, or null. */
export function readThread() {
  return THREAD.exec(location.hash)?.[1] ?? null;
}

/** Name a conversation in the fragment, so that a reload finds it; null: none. */
export function writeThread(thread) {
  const fragment = thread ? `#thread=${thread}` : "";
  history.replaceState(null, "", `${location.pathname}${location.search}${fragment}`);
}
