/** The page that the person came from, as the address says; the server reads the true title. */

import { el } from "./dom.js";
import { known, said } from "./texts.js";

/** Show it, and what of the address was not understood. */
export function showContext(place, { ui, unknown }) {
  const parts = [ui ? el("span", {}, ...words(ui)) : said("span", "page-context-none")];
  if (unknown.length) {
    const names = unknown.join(", ").slice(0, 200);
    parts.push(said("span", "page-context-unknown", { names }, { class: "problem" }));
  }
  place.replaceChildren(...parts);
}

function words({ objectType, objectId, objectName, envId }) {
  const key = `page-context-${objectType}`;
  const parts = [known(key) ? said("b", key) : el("b", {}, String(objectType ?? ""))];
  if (objectId) parts.push(` ${objectId}`);
  if (objectName) parts.push(" ", said("span", "page-context-name", { name: objectName }));
  if (envId) parts.push(" · ", said("span", "page-context-environment", { id: envId }));
  return parts;
}
