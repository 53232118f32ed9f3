import type { Language, MailKind } from "./kinds.ts";
import type { Times } from "./times.ts";

/** What a notification is about (sql/notifications/notification_data.sql). */
export interface Facts {
  readonly spot_number?: string;
  readonly is_owner?: boolean;
  readonly start_time?: string;
  readonly end_time?: string;
  readonly reason?: string;
  readonly offered_from?: string;
  readonly offered_until?: string;
  /** How many people wait for approval. */
  readonly count?: number;
  /** The plate of a stranger's car. */
  readonly vehicle?: string;
}

/** What a sentence may have in it: the facts as people write them. */
interface Words {
  readonly spot: string;
  /** From when to when. */
  readonly span: string;
  readonly isOwner: boolean;
  readonly count: number;
  /** Empty where it is not known. */
  readonly vehicle: string;
}

/** What one kind says, in one language. */
interface KindTexts {
  /** With nothing in it that a person wrote: the subject of a mail, and a choice in the profile. */
  readonly title: string;
  readonly sentence: (words: Words) => string;
}

/** The texts of all kinds in one language: texts/en.ts, texts/de.ts. */
export interface Texts {
  readonly language: Language;
  readonly kinds: Readonly<Record<MailKind, KindTexts>>;
  /** Behind the sentence, where only the recipient can claim the spot. */
  readonly offer: (span: string) => string;
  readonly reason: (reason: string) => string;
}

const isKind = (kind: string, { kinds }: Texts): kind is MailKind => Object.hasOwn(kinds, kind);

/** What a kind is about; undefined for one that this program does not know. */
export const titleOf = (kind: string, texts: Texts): string | undefined =>
  isKind(kind, texts) ? texts.kinds[kind].title : undefined;

/**
 * What a notification says, in the language of the texts. Where it has no facts, or is of a kind that
 * this program does not know, its message says it in English.
 */
export function sentenceOf(
  kind: string,
  facts: Facts,
  texts: Texts,
  times: Times,
): string | undefined {
  if (!isKind(kind, texts)) return undefined;
  const { spot_number, is_owner, start_time, end_time, reason, offered_from, offered_until } =
    facts;
  const span = (from?: string, until?: string) => (from && until ? times.span(from, until) : "");
  const sentence = texts.kinds[kind].sentence({
    spot: spot_number ?? "",
    span: span(start_time, end_time),
    isOwner: is_owner === true,
    count: facts.count ?? 0,
    vehicle: facts.vehicle ?? "",
  });
  return [
    sentence,
    offered_from && texts.offer(span(offered_from, offered_until)),
    reason && texts.reason(reason),
  ]
    .filter(Boolean)
    .join(" ");
}
