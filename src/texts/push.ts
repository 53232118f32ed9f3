import type { Language } from "./kinds.ts";

/** The buttons of a notification that offers a spot. */
interface PushTexts {
  readonly claim: string;
  readonly later: string;
}

export const pushTexts: Readonly<Record<Language, PushTexts>> = {
  en: { claim: "Claim", later: "Not now" },
  de: { claim: "Reservieren", later: "Jetzt nicht" },
};
