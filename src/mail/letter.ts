import { addresses } from "../addresses.ts";
import { type Html, html } from "../http/html.ts";
import { de } from "../texts/de.ts";
import { en } from "../texts/en.ts";
import type { Language } from "../texts/kinds.ts";
import { mailTexts } from "../texts/mail.ts";
import { type Facts, headlineOf, sentenceOf, type Texts, titleOf } from "../texts/notification.ts";
import { timesIn } from "../texts/times.ts";
import type { Mail, Mailer } from "./mailer.ts";

/** One item of a mail. */
export interface MailItem {
  readonly id?: string;
  readonly claim_id?: string | null;
  readonly spot_id?: string | null;
  readonly message: string;
  readonly data: Facts | null;
  readonly change?: AddressChange;
}

/** A change of the address with which somebody signs in. */
interface AddressChange {
  /** The address that the mail goes to, or the administrator. */
  readonly side: "old" | "new" | "giver";
  readonly old_address: string;
  readonly new_address: string;
  /** From when on the new address signs in. */
  readonly starts_at: string;
  /** Where an administrator gave it. */
  readonly reason: string | null;
}

/** The page's path where the person can act on the items. */
export function pagePathOf(kind: string, items: readonly MailItem[]): string {
  const [item] = items;
  if (kind === "profiles.waiting") return addresses.waiting;
  if (kind === "webhook.disabled") return addresses.webhooks;
  if (kind === "profile.rejected") return addresses.profile;
  if (kind === "profile.approved") return addresses.now;
  const isAboutOne = items.length === 1 && (item?.claim_id || item?.spot_id);
  if (!isAboutOne || item === undefined) return addresses.inbox;
  if (kind === "wish.fits") return at(addresses.claims, "wish", item.id); // it has the id of the wish
  if (item.data?.is_owner) return at(addresses.spots, "spot", item.spot_id);
  if (kind === "report.submitted" && !item.claim_id) return at(addresses.garage, "gate", "yes");
  return at(addresses.claims, "claim", item.claim_id);
}

const at = (path: string, name: string, id: string | null | undefined): string =>
  id ? `${path}?${name}=${id}` : path;

/** A row of private.get_mail. */
export interface MailRow {
  readonly email: string;
  readonly language: Language;
  readonly building: string;
  readonly time_zone: string;
  readonly items: readonly MailItem[];
  readonly people: readonly { readonly name: string | null; readonly apartment: string }[];
  /** Only for people who have an account. */
  readonly unsubscribe_key: string | null;
}

/** If there are more people, the mail gives only their number. */
const MOST_PEOPLE = 20;

/**
 * People choose their name and the number of their spot. Mail programs make links of text that
 * looks like an address, and must find none there.
 */
const unlinked = (text: string): string => text.replaceAll(/(?<=\S)[.:@/](?=\S)/g, "$&\u200b"); // a zero-width space

const withoutLinks = (facts: Facts): Facts => ({
  ...facts,
  ...(facts.spot_number && { spot_number: unlinked(facts.spot_number) }),
  ...(facts.claimer_name && { claimer_name: unlinked(facts.claimer_name) }),
  ...(facts.actor_name && { actor_name: unlinked(facts.actor_name) }),
});

/** A sentence as a subject. */
const inHeader = (sentence: string): string => sentence.replaceAll(/\s+/g, " ").replace(/\.$/, "");

/** The mail of a job. It has the id of the job, so that each attempt has the same id. */
export function mailOf(
  { id, kind }: { readonly id: string; readonly kind: string },
  row: MailRow,
  { publicUrl, unsubscribeUrl }: Pick<Mailer, "publicUrl" | "unsubscribeUrl">,
): Mail {
  const { language, items, people, unsubscribe_key } = row;
  const to = { id: `mail.${id}`, to: row.email, language };
  const building = { name: row.building, time_zone: row.time_zone };
  const change = items[0]?.change;
  if (change) return addressLetterOf({ ...to, building, kind, change, link: publicUrl });
  if (unsubscribe_key === null) return invitationOf({ ...to, building, link: publicUrl });

  const { apartment, andMore } = mailTexts[language];
  const names = people
    .slice(0, MOST_PEOPLE)
    .map((it) => unlinked([it.name, apartment(it.apartment)].filter(Boolean).join(", ")));
  if (people.length > MOST_PEOPLE) names.push(andMore(people.length - MOST_PEOPLE));
  return letterOf({
    ...to,
    building,
    kind,
    items,
    people: names,
    link: publicUrl + pagePathOf(kind, items),
    preferencesUrl: publicUrl + addresses.profile,
    unsubscribeUrl: `${unsubscribeUrl}?sig=${unsubscribe_key}&language=${language}`,
  });
}

/** The texts of notifications, for mails and pushes. */
export const texts: Readonly<Record<Language, Texts>> = { en, de };

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
export function letterOf(letter: Letter, now = Date.now()): Mail {
  const { language, building, kind, items, people = [], link } = letter;
  const own = texts[language];
  const words = mailTexts[language];
  const times = timesIn(language, building.time_zone, undefined, now);
  const facts = items.slice(0, MOST_ITEMS).map(({ data }) => data && withoutLinks(data));
  const sentences = facts.map(
    (it, i) => (it && sentenceOf(kind, it, own, times)) || (items[i]?.message ?? ""),
  );
  if (items.length > MOST_ITEMS) sentences.push(words.andMore(items.length - MOST_ITEMS));
  const headline = facts.length === 1 && facts[0] && headlineOf(kind, facts[0], own, times);
  return written(letter, {
    subject: inHeader(headline || (titleOf(kind, own) ?? words.news)),
    paragraphs: [...sentences, ...people],
    link: { text: words.open, url: link },
    small: [
      `${words.building(building.name)}. ${words.zone(building.time_zone)}`,
      { text: words.choose, url: letter.preferencesUrl },
      { text: words.unsubscribe, url: letter.unsubscribeUrl },
    ],
  });
}

/** Writes a mail to a person who has no account yet and so can neither choose nor end mails. */
export function invitationOf(
  letter: Pick<Letter, "id" | "to" | "language" | "building" | "link">,
  as: "invitation" | "administrator" = "invitation",
): Mail {
  const { language, building, to, link } = letter;
  const { open, [as]: words } = mailTexts[language];
  return written(letter, {
    subject: words.title,
    paragraphs: words.paragraphs(building.name, to),
    link: { text: open, url: link },
    small: [],
  });
}

/** Such as `m…@example.org`: somebody else may read the mailbox that was lost. */
const shortened = (address: string): string => address.replace(/^(.).*(?=@)/u, "$1…");

/** Writes a mail about the address with which somebody signs in. */
export function addressLetterOf(
  letter: Pick<Letter, "id" | "to" | "language" | "building" | "kind" | "link"> & {
    readonly change: AddressChange;
  },
): Mail {
  const { language, building, kind, link, change } = letter;
  const { open, address: words } = mailTexts[language];
  const { side, old_address, new_address, starts_at, reason } = change;
  const from = timesIn(language, building.time_zone).moment(starts_at);
  const address = side === "old" ? shortened(new_address) : new_address;
  const reasons = reason === null ? [] : [words.reason(unlinked(reason))];
  const paragraphs = {
    "address.given": [
      words.given(building.name, address, from),
      ...reasons,
      side === "old" ? words.keep : words.nothingToDo(from),
    ],
    "address.changed": [
      words.changed(building.name, address),
      side === "old" ? words.notYou : words.welcome,
    ],
    "address.kept": [words.kept(building.name, old_address, new_address)],
  }[kind];
  return written(letter, {
    subject: words.title,
    paragraphs: paragraphs ?? [],
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
  /** At the end, in small print. */
  readonly small: readonly (string | Link)[];
}

function written(
  about: Pick<Letter, "id" | "to" | "language"> & Partial<Pick<Letter, "unsubscribeUrl">>,
  { subject, paragraphs, link, small }: Content,
): Mail {
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
