import type { Texts } from "../../texts/notification.ts";
import type { Message, MessageKey, Messages } from "./en.ts";

declare const translated: unique symbol;

/**
 * A text for people. A string in the code is not a Text: texts come from the message files with
 * `t`, and words that people wrote with `plain`. So the compiler finds a text that cannot be
 * translated.
 */
export type Text = string & { readonly [translated]: true };

/** What a person wrote, such as a name. It is the same in every language. */
export const plain = (written: string): Text => written as Text;

/** The languages of the page. A new language needs files like these and two lines here. */
const languages = {
  en: async (): Promise<Messages> => (await import("./en.ts")).en,
  de: async (): Promise<Messages> => (await import("./de.ts")).de,
} as const;
/** Messages that are loaded only when they are needed. */
const parts = {
  administration: {
    en: () => import("./administration.en.ts"),
    de: () => import("./administration.de.ts"),
  },
  /** The texts of the board, also as administrators see it. */
  board: { en: () => import("./board.en.ts"), de: () => import("./board.de.ts") },
  /** The texts about claims that repeat, and about what people wait for. */
  claims: { en: () => import("./claims.en.ts"), de: () => import("./claims.de.ts") },
  /** The texts of notifications and mails, and of the choice of mails. */
  mail: { en: () => import("./mail.en.ts"), de: () => import("./mail.de.ts") },
  profile: { en: () => import("./profile.en.ts"), de: () => import("./profile.de.ts") },
  /** The texts of the screen of one spot, and of its sign. */
  spot: { en: () => import("./spot.en.ts"), de: () => import("./spot.de.ts") },
  /** The texts about the person's own spots. */
  spots: { en: () => import("./spots.en.ts"), de: () => import("./spots.de.ts") },
} as const;

export type PageLanguage = keyof typeof languages;

export let language: PageLanguage;
let messages: Readonly<Record<string, Message>>;
let plurals: Intl.PluralRules;

/**
 * The language with the region of the browser, such as de-AT, so that dates look as usual there.
 */
export let locale = "en";

/** Loads the first of these languages that the page can fetch, or else any, English first. */
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

/** The texts of notifications and mails, once they are loaded. */
export let texts: Texts | undefined;

export async function loadPart(part: keyof typeof parts): Promise<void> {
  const loaded = await parts[part][language]();
  // Read only now, because other parts are loaded at the same time.
  messages = { ...messages, ...loaded.messages };
  if ("texts" in loaded) texts = loaded.texts;
}

/** Whether there is such a message, once its part is loaded. */
export const hasMessage = (key: string): key is MessageKey => Object.hasOwn(messages, key);

type Values = Readonly<Record<string, string | number>>;

/**
 * The message in the language of the page. `{name}` in it is replaced by the value of that name.
 * After a value that ends with a full stop, such as an abbreviation, the full stop is not repeated.
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
