import { put } from "../../api/client.ts";
import type { OwnClaim } from "../../api/own-claims.ts";
import { t } from "../../messages/translate.ts";
import { useNow } from "../../time/clock.ts";
import { formatNearMoment } from "../../time/format.ts";
import { now } from "../../time/now.ts";
import { HOUR, iso, MINUTE } from "../../time/zone.ts";
import { ActionButton } from "../form.tsx";
import { toast } from "../toasts.tsx";
import { named } from "./acts.ts";
import { useAfter } from "./room.ts";
import { StrangerButton } from "./stranger.tsx";

/** What a person can do with a claim that is in use, beside finishing it. */
export const InUse = ({ claim }: { readonly claim: OwnClaim }) => (
  <>
    <ExtendButton key={claim.end_time} claim={claim} />
    <StrangerButton spotId={claim.spot.id} />
  </>
);

/** Less time than this is not worth a tap. */
const LEAST = 5 * MINUTE;

/** Gives a claim that is in use an hour more or, if less is free, all of that. */
function ExtendButton({ claim }: { readonly claim: OwnClaim }) {
  const now = useNow();
  const end = useAfter(claim)?.end ?? 0;
  const length = end - Date.parse(claim.end_time);
  if (length < LEAST) return null;
  const until = formatNearMoment(end, now);
  return (
    <ActionButton
      aria-label={length === HOUR ? t("claims.hourUntil", { until }) : undefined}
      act={() => extendClaim(claim, end)}
    >
      {length === HOUR ? t("claims.hour") : t("claims.restUntil", { until })}
    </ActionButton>
  );
}

const endAt = ({ id }: OwnClaim, end_time: string): Promise<unknown> =>
  put(`/claims/${id}`, { end_time });

async function extendClaim(claim: OwnClaim, end: number): Promise<void> {
  await endAt(claim, iso(end));
  const until = formatNearMoment(end, now());
  const undo = () => endAt(claim, claim.end_time).then(() => toast(t("claims.saved")));
  toast(t("claims.extended", { ...named(claim), until }), undo);
}
