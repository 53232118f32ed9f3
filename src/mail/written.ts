import { type Html, html } from "../http/html.ts";
import { de } from "../texts/de.ts";
import { en } from "../texts/en.ts";
import type { Language } from "../texts/kinds.ts";
import { mailTexts } from "../texts/mail.ts";
import { type Facts, sentenceOf, type Texts, titleOf } from "../texts/notification.ts";
import { timesIn } from "../texts/times.ts";
import type { Message } from "./mailer.ts";

const texts: Readonly<Record<Language, Texts>> = { en, de };

/** A mail from the service to one person. */
export interface Letter {
  readonly id: string;
  readonly to: string;
  readonly language: Language;
  readonly building: { readonly name: string; readonly time_zone: string };
  readonly kind: string;
  /** What happened, in order. `message` is used if there is no text for it. */
  readonly items: readonly { readonly data: Facts | null; readonly message: string }[];
  /** Names below the items, such as those of people who wait. */
  readonly people?: readonly string[];
  readonly link: string;
  /** The page where the person chooses which mails they get. */
  readonly preferencesUrl: string;
  readonly unsubscribeUrl: string;
}

/** If there are more items, the mail gives only their number. */
const MOST_ITEMS = 50;

/** Writes a mail about what happened. */
export function writtenLetter(letter: Letter, now = Date.now()): Message {
  const { language, building, kind, items, people = [], link } = letter;
  const own = texts[language];
  const words = mailTexts[language];
  const times = timesIn(language, building.time_zone, undefined, now);
  const sentences = items
    .slice(0, MOST_ITEMS)
    .map(({ data, message }) => (data && sentenceOf(kind, data, own, times)) || message);
  if (items.length > MOST_ITEMS) sentences.push(words.andMore(items.length - MOST_ITEMS));
  return written(letter, {
    subject: titleOf(kind, own) ?? words.news,
    paragraphs: [...sentences, ...people],
    link: { text: words.open, url: link },
    small: [
      `${words.building(building.name)}. ${words.zone(building.time_zone)}`,
      { text: words.choose, url: letter.preferencesUrl },
      { text: words.unsubscribe, url: letter.unsubscribeUrl },
    ],
  });
}

export interface InvitationLetter {
  readonly id: string;
  readonly to: string;
  readonly language: Language;
  readonly building: { readonly name: string };
  readonly link: string;
}

/** Writes a mail to a person who has no account yet and so can neither choose nor end mails. */
export function writtenInvitation(letter: InvitationLetter): Message {
  const { language, building, to, link } = letter;
  const { open, invitation } = mailTexts[language];
  return written(letter, {
    subject: invitation.title,
    paragraphs: [invitation.sentence(building.name), invitation.how(to)],
    link: { text: open, url: link },
    small: [],
  });
}

interface Link {
  readonly text: string;
  readonly url: string;
}

interface Content {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly link: Link;
  readonly small: readonly (string | Link)[];
}

function written(
  about: Pick<Letter, "id" | "to" | "language"> & Partial<Pick<Letter, "unsubscribeUrl">>,
  { subject, paragraphs, link, small }: Content,
): Message {
  const { id, to, language, unsubscribeUrl } = about;
  const ending = small.map((it) => (typeof it === "string" ? it : `${it.text}\n${it.url}`));
  const text = [...paragraphs, `${link.text}: ${link.url}`, ...(ending.length > 0 ? ["-- "] : [])];
  const { markup } = html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${subject}</title></head>
<body>
${paragraphs.map((it) => html`<p>${it}</p>\n`)}
<p><a href="${link.url}">${link.text}</a></p>
${small.map(smallPrint)}
</body>
</html>
`;
  const body = `${[text.join("\n\n"), ending.join("\n")].filter(Boolean).join("\n")}\n`;
  return { id, to, subject, text: body, html: markup, unsubscribeUrl };
}

const smallPrint = (it: string | Link): Html =>
  typeof it === "string"
    ? html`<p><small>${it}</small></p>\n`
    : html`<p><small><a href="${it.url}">${it.text.replace(/:$/, "")}</a></small></p>\n`;
