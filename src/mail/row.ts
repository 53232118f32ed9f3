import { addresses } from "../addresses.ts";
import type { Language } from "../texts/kinds.ts";
import { mailTexts } from "../texts/mail.ts";
import { type Item, pathOf } from "./link.ts";
import type { Mailer, Message } from "./mailer.ts";
import { writtenInvitation, writtenLetter } from "./written.ts";

/** A row of private.get_mail. */
export interface MailRow {
  readonly email: string;
  readonly language: Language;
  readonly building: string;
  readonly time_zone: string;
  readonly items: readonly Item[];
  readonly people: readonly { readonly name: string | null; readonly apartment: string }[];
  /** Only for people who have an account. */
  readonly unsubscribe_key: string | null;
}

/** If there are more people, the mail gives only their number. */
const MOST_PEOPLE = 20;

/**
 * Strangers choose the name under which they wait. Mail programs make links of text that looks like
 * an address, and must find none in the name.
 */
const unlinked = (text: string): string => text.replaceAll(/(?<=\S)[.:@/](?=\S)/g, "$&\u200b"); // a zero-width space

/** The mail of a job. It has the id of the job, so that each attempt has the same id. */
export function messageOf(
  { id, kind }: { readonly id: string; readonly kind: string },
  row: MailRow,
  { publicUrl, unsubscribeUrl }: Pick<Mailer, "publicUrl" | "unsubscribeUrl">,
): Message {
  const { language, items, people, unsubscribe_key } = row;
  const to = { id: `mail.${id}`, to: row.email, language };
  const building = { name: row.building, time_zone: row.time_zone };
  if (unsubscribe_key === null) return writtenInvitation({ ...to, building, link: publicUrl });

  const { apartment, andMore } = mailTexts[language];
  const names = people
    .slice(0, MOST_PEOPLE)
    .map((it) => unlinked([it.name, apartment(it.apartment)].filter(Boolean).join(", ")));
  if (people.length > MOST_PEOPLE) names.push(andMore(people.length - MOST_PEOPLE));
  return writtenLetter({
    ...to,
    building,
    kind,
    items,
    people: names,
    link: publicUrl + pathOf(kind, items),
    preferencesUrl: publicUrl + addresses.profile,
    unsubscribeUrl: `${unsubscribeUrl}?sig=${unsubscribe_key}&language=${language}`,
  });
}
