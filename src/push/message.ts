import { addresses } from "../addresses.ts";
import { pagePathOf, texts } from "../mail/letter.ts";
import type { Language } from "../texts/kinds.ts";
import { mailTexts } from "../texts/mail.ts";
import { type Facts, sentenceOf, titleOf } from "../texts/notification.ts";
import { pushTexts } from "../texts/push.ts";
import { timesIn } from "../texts/times.ts";

/** One item of a push: only what a lock screen may show (private.get_push). */
interface PushItem {
  readonly id?: string;
  readonly claim_id?: string | null;
  readonly spot_id?: string | null;
  readonly data: Facts | null;
  /** The window and the time that the person can claim now, for the claim form of the page. */
  readonly claim?: Readonly<Record<"window" | "from" | "until", string>> | null;
}

export interface PushContent {
  readonly kind: string;
  readonly language: Language;
  readonly time_zone: string;
  readonly items: readonly PushItem[];
}

/** What the service worker of the page shows (web/service-worker.ts). */
export interface PushMessage {
  readonly title: string;
  readonly body: string;
  readonly lang: Language;
  /** A second one with the same tag replaces the first. */
  readonly tag: string;
  /** The page's path where the person can act. */
  readonly path: string;
  /** For a spot that the person can claim: its claim form, and the texts of two buttons. */
  readonly claim?: { readonly path: string; readonly claim: string; readonly later: string };
}

/** @param tag the id of the job, so that a second attempt is not a second notification */
export function pushMessageOf(
  { kind, language, time_zone, items }: PushContent,
  tag: string,
): PushMessage {
  const own = texts[language];
  const times = timesIn(language, time_zone);
  const [first, ...others] = items;
  const sentence = first?.data ? sentenceOf(kind, first.data, own, times) : undefined;
  const path = pagePathOf(
    kind,
    items.map((item) => ({ ...item, message: "" })),
  );
  const claim = others.length === 0 && first?.claim;
  return {
    title: titleOf(kind, own) ?? mailTexts[language].news,
    body: [sentence, others.length > 0 && mailTexts[language].andMore(others.length)]
      .filter(Boolean)
      .join(" "),
    lang: language,
    tag,
    path,
    ...(claim && {
      claim: { path: `${addresses.claims}?${new URLSearchParams(claim)}`, ...pushTexts[language] },
    }),
  };
}

const URGENT = ["wish.fits", "claim.starts", "claim.ends", "claim.cancelled", "claim.deleted"];

/** How soon a device that saves power is woken (RFC 8030, 5.3). */
export const urgencyOf = (kind: string): "high" | "normal" =>
  URGENT.includes(kind) ? "high" : "normal";
