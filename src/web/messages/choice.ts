import { mayLeave } from "../routing.ts";
import { shared } from "../storage.ts";
import { type PageLanguage, plain, type Text } from "./translate.ts";

/** What the person has chosen in this browser. */
const CHOSEN = "language";

export const languagesOfPage = [
  ["en", plain("English")],
  ["de", plain("Deutsch")],
] as const satisfies readonly (readonly [PageLanguage, Text])[];

/** Speaks another language from now on, in this browser. The page begins anew: all of it is other words. */
export function speak(chosen: PageLanguage): void {
  if (!mayLeave()) return;
  shared.write(CHOSEN, chosen);
  location.reload();
}

/** The languages of the browser, those first that are the chosen one: its region says how dates look. */
export function preferredLanguages(): readonly string[] {
  const chosen = shared.read(CHOSEN);
  if (chosen === undefined) return navigator.languages;
  const regions = navigator.languages.filter((tag) => tag.split("-")[0] === chosen);
  return [...regions, chosen, ...navigator.languages];
}
