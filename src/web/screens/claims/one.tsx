import { addresses } from "../../../addresses.ts";
import { claimOf, type OneClaim, type OwnClaim, phaseOf } from "../../api/own-claims.ts";
import { person } from "../../api/person.ts";
import { useReading } from "../../api/reading.ts";
import { plain, t } from "../../messages/translate.ts";
import { Badge } from "../../parts/claims/badge.tsx";
import { ClaimHero } from "../../parts/claims/hero.tsx";
import { useInPlace } from "../../parts/claims/in-place.ts";
import { Link } from "../../parts/link.tsx";
import { ParkingLine } from "../../parts/parking-fields.tsx";
import { Empty, whenRead } from "../../parts/states.tsx";
import { useStore } from "../../store.ts";
import { useNow } from "../../time/clock.ts";
import { formatSpan, formatted } from "../../time/format.ts";

/** The claim of a link, with its details and its outcome. */
export function One({ id }: { readonly id: string }) {
  const back = (
    <Link href={addresses.claims} class="button">
      {t("claims.all")}
    </Link>
  );
  return (
    <div class="stack narrow">
      {whenRead(useReading(claimOf(id)), ({ claim, notifications }) =>
        claim ? (
          <>
            <Shown claim={claim} notifications={notifications} />
            <div class="actions">{back}</div>
          </>
        ) : (
          <Empty title={t("claims.gone")} actions={back} />
        ),
      )}
    </div>
  );
}

function Shown({ claim, notifications }: OneClaim & { readonly claim: OwnClaim }) {
  const now = useNow();
  const { profile } = useStore(person) ?? {};
  const isOwn = claim.claimerId === profile?.id;
  const phase = phaseOf(claim, now);
  const isCurrent = isOwn && phase !== "earlier";
  const shown = useInPlace(isCurrent ? [claim] : []).find(({ id }) => id === claim.id);
  if (shown !== undefined && (isCurrent || shown.canUndo)) {
    return <ClaimHero claim={shown} now={now} />;
  }
  return (
    <section class="card hero" aria-label={plain(claim.spot.spotNumber)}>
      <div class="hero-head">
        <span class="hero-spot">{plain(claim.spot.spotNumber)}</span>
        <Badge claim={claim} phase={phase} />
        <span class="quiet hero-place">{plain(claim.spot.buildingSection)}</span>
      </div>
      <p class="hero-time">{formatSpan(claim.startTime, claim.endTime)}</p>
      <ParkingLine {...claim} />
      {claim.status !== "active" && (
        <End claim={claim} notifications={notifications} isOwn={isOwn} />
      )}
    </section>
  );
}

/**
 * The person who ended it, the time and the reason. Claimers are notified of what others do, so
 * without a notification the claimer cancelled it. Only administrators give a reason.
 */
function End(properties: OneClaim & { readonly claim: OwnClaim; readonly isOwn: boolean }) {
  const { claim, notifications, isOwn } = properties;
  const when = formatted("moment", claim.updatedAt);
  if (claim.status === "completed") return <p>{t("claims.finishedOn", { when })}</p>;
  const told = notifications.nodes.find(({ kind }) => kind === "claim.cancelled");
  const reason = told?.data?.reason;
  if (reason === undefined) {
    return <p>{t(isOwn && !told ? "claims.youCancelled" : "claims.wasCancelled", { when })}</p>;
  }
  return (
    <>
      <p>{t("claims.administratorCancelled", { when })}</p>
      <p>{t("claims.reason", { reason })}</p>
    </>
  );
}
