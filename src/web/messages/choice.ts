import { shared } from "../storage.ts";
import { type PageLanguage, plain, type Text } from "./translate.ts";

/** The key of the person's choice in this browser. */
const CHOSEN = "language";

export const languagesOfPage = [
  ["en", plain("English")],
  ["de", plain("Deutsch")],
] as const satisfies readonly (readonly [PageLanguage, Text])[];

/** Changes the language in this browser. The page is loaded again, because all texts change. */
export function speak(chosen: PageLanguage): void {
  shared.write(CHOSEN, chosen);
  location.reload();
}

/** The languages of the browser, the chosen one first: its region decides how dates look. */
export function preferredLanguages(): readonly string[] {
  const chosen = shared.read(CHOSEN);
  if (chosen === undefined) return navigator.languages;
  const regions = navigator.languages.filter((tag) => tag.split("-")[0] === chosen);
  return [...regions, chosen, ...navigator.languages];
}
