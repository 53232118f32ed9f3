import type { Texts } from "../../texts/notification.ts";
import type { Message, MessageKey, Messages } from "./en.ts";

declare const translated: unique symbol;

/**
 * What people may read. A string of the program is none: texts come from the message files by `t`,
 * and what people wrote by `plain`. So the compiler finds a text that cannot be translated.
 */
export type Text = string & { readonly [translated]: true };

/** What somebody wrote, such as a name; shown as it is in every language. */
export const plain = (written: string): Text => written as Text;

/** A language of the page. A new one is files like these and two lines here. */
const languages = {
  en: async (): Promise<Messages> => (await import("./en.ts")).en,
  de: async (): Promise<Messages> => (await import("./de.ts")).de,
} as const;
/** What is loaded where it is read. */
const parts = {
  administration: {
    en: () => import("./administration.en.ts"),
    de: () => import("./administration.de.ts"),
  },
  /** What notifications and mails say, and where people choose their mails. */
  mail: { en: () => import("./mail.en.ts"), de: () => import("./mail.de.ts") },
  profile: { en: () => import("./profile.en.ts"), de: () => import("./profile.de.ts") },
  /** Where one spot is shown, and on its sign. */
  spot: { en: () => import("./spot.en.ts"), de: () => import("./spot.de.ts") },
} as const;

export type PageLanguage = keyof typeof languages;

/** The language of the page. */
export let language: PageLanguage;
let messages: Readonly<Record<string, Message>>;
let plurals: Intl.PluralRules;

/** With the region that the browser prefers, such as de-AT, so that dates are written as usual there. */
export let locale = "en";

/** Loads the first of these languages that the page has and that can be fetched, or else any, English first. */
export async function loadMessages(preferred: readonly string[]): Promise<void> {
  const known = Object.keys(languages) as PageLanguage[];
  let failure: unknown;
  for (const tag of [...preferred, ...known]) {
    const found = known.find((one) => one === tag.split("-")[0]);
    if (found === undefined) continue;
    try {
      messages = await languages[found]();
      [language, locale, plurals] = [found, tag, new Intl.PluralRules(tag)];
      return;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/** What notifications and mails say, once it is loaded. */
export let texts: Texts | undefined;

/** Loads one of the parts. */
export async function loadPart(part: keyof typeof parts): Promise<void> {
  const loaded = await parts[part][language]();
  // Not before: others are loaded at the same time.
  messages = { ...messages, ...loaded.messages };
  if ("texts" in loaded) texts = loaded.texts;
}

/** Whether there is such a message, once its texts are loaded. */
export const hasMessage = (key: string): key is MessageKey => Object.hasOwn(messages, key);

type Values = Readonly<Record<string, string | number>>;

/**
 * The message in the language of the page. `{name}` in it is replaced by the value of that name; a full
 * stop is not repeated after a value that ends with one, as an abbreviation may.
 */
export function t(key: MessageKey, values: Values = {}): Text {
  const message = messages[key] ?? key;
  const pattern =
    typeof message === "string"
      ? message
      : message[plurals.select(Number(values.count)) === "one" ? "one" : "other"];
  return plain(
    pattern.replace(/\{(\w+)\}(\.?)/g, (_, name: string, stop: string) => {
      const value = String(values[name] ?? "");
      return value.endsWith(".") ? value : value + stop;
    }),
  );
}
