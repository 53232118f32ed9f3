import type { Language, MailKind } from "./kinds.ts";
import type { Times } from "./times.ts";

/** The data of a notification (private.notification_data). */
export interface Facts {
  readonly spot_number?: string;
  readonly is_owner?: boolean;
  /** The name of the person who claimed the spot of the recipient. */
  readonly claimer_name?: string;
  /** The name of the administrator or concierge who acted for the claimer. */
  readonly actor_name?: string;
  readonly start_time?: string;
  readonly end_time?: string;
  readonly reason?: string;
  readonly offered_from?: string;
  readonly offered_until?: string;
  /** The number of people who wait for approval. */
  readonly count?: number;
  /** The plate of a stranger's car. */
  readonly vehicle?: string;
}

/** The words for a sentence: the facts in the form for people. */
export interface Words {
  readonly spot: string;
  /** Empty if it is unknown. */
  readonly claimer: string;
  /** Empty if it is unknown, or if the claimer did it. */
  readonly actor: string;
  /** From start to end. */
  readonly span: string;
  readonly isOwner: boolean;
  readonly count: number;
  /** Empty if it is unknown. */
  readonly vehicle: string;
}

/** The texts of one kind in one language. */
interface KindTexts {
  /** A choice in the profile, and the subject of a mail about several. It names nobody. */
  readonly title: string;
  /** What happened. It is the subject of a mail, too. */
  readonly sentence: (words: Words) => string;
}

/** The texts of all kinds in one language: texts/en.ts, texts/de.ts. */
export interface Texts {
  readonly language: Language;
  readonly kinds: Readonly<Record<MailKind, KindTexts>>;
  /** Follows the sentence if only the recipient can claim the spot. */
  readonly offer: (span: string) => string;
  readonly reason: (reason: string) => string;
}

const isKind = (kind: string, { kinds }: Texts): kind is MailKind => Object.hasOwn(kinds, kind);

/** The title of a kind; undefined for a kind that this program does not know. */
export const titleOf = (kind: string, texts: Texts): string | undefined =>
  isKind(kind, texts) ? texts.kinds[kind].title : undefined;

/** A longer name is cut, so that the rest of a sentence stays in view. */
const LONGEST_NAME = 60;

const short = (name: string): string => {
  const letters = [...name];
  return letters.length > LONGEST_NAME
    ? `${letters
        .slice(0, LONGEST_NAME - 1)
        .join("")
        .trimEnd()}…`
    : name;
};

/** What happened, in a sentence. Undefined for a kind that this program does not know. */
export function headlineOf(
  kind: string,
  facts: Facts,
  texts: Texts,
  times: Times,
): string | undefined {
  if (!isKind(kind, texts)) return undefined;
  const { spot_number, claimer_name, actor_name, is_owner, start_time, end_time } = facts;
  return texts.kinds[kind].sentence({
    spot: spot_number ?? "",
    claimer: short(claimer_name ?? ""),
    actor: short(actor_name ?? ""),
    span: start_time && end_time ? times.span(start_time, end_time) : "",
    isOwner: is_owner === true,
    count: facts.count ?? 0,
    vehicle: facts.vehicle ?? "",
  });
}

/**
 * The text of a notification in the language of the texts. If it has no facts, or if this program
 * does not know its kind, it is the English message.
 */
export function sentenceOf(
  kind: string,
  facts: Facts,
  texts: Texts,
  times: Times,
): string | undefined {
  const headline = headlineOf(kind, facts, texts, times);
  const { reason, offered_from, offered_until } = facts;
  return (
    headline &&
    [
      headline,
      offered_from && offered_until && texts.offer(times.span(offered_from, offered_until)),
      reason && texts.reason(reason),
    ]
      .filter(Boolean)
      .join(" ")
  );
}
