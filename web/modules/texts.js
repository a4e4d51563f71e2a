/** The page's own words. What stands in an element by its key follows a change of the language. */

import { el, visible } from "./dom.js";

export const LANGUAGES = ["ru", "en"];

const catalogues = {};
let language = "en";

/** The language to begin with: what the address asks for, else the browser's. */
export function firstLanguage(asked) {
  if (LANGUAGES.includes(asked)) return asked;
  return navigator.language.toLowerCase().startsWith("ru") ? "ru" : "en";
}

/** Change the language of the page, and of all words in it that have a key. */
export async function setLanguage(name) {
  catalogues[name] ??= await fetchTexts(name);
  language = name;
  document.documentElement.lang = name;
  for (const node of document.querySelectorAll("[data-text]")) write(node);
  for (const node of document.querySelectorAll("[data-label]")) {
    node.setAttribute("aria-label", t(node.dataset.label));
  }
  document.getElementById("language").lang = other();
}

async function fetchTexts(name) {
  const address = new URL(`../texts/${name}.json`, import.meta.url);
  const answer = await fetch(address, { credentials: "omit" });
  if (!answer.ok) throw new Error(`texts: ${answer.status}`);
  return answer.json();
}

/** The language that the page is not in. */
export function other() {
  return LANGUAGES.find((name) => name !== language);
}

/** A text in the page's language; `{name}` in it is filled. */
export function t(key, values = {}) {
  const text = catalogues[language]?.[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (slot, name) => String(values[name] ?? slot));
}

/** Put a text into an element, to be said again when the language changes. */
export function say(node, key, values = {}) {
  node.dataset.text = key;
  node.dataset.values = JSON.stringify(values);
  write(node);
  return node;
}

/** A new element with a text of the page in it. */
export function said(tag, key, values = {}, attributes = {}) {
  return say(el(tag, attributes), key, values);
}

/** The page's language. */
export function currentLanguage() {
  return language;
}

/** What a tool is called; its own name where there are no words for it. */
export function toolKey(name) {
  return `tool-${String(name).replaceAll("_", "-")}`;
}

export function known(key) {
  return key in (catalogues[language] ?? {});
}

function write(node) {
  node.textContent = visible(t(node.dataset.text, JSON.parse(node.dataset.values ?? "{}")));
}
