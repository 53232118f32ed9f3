import { addresses } from "../../../addresses.ts";
import { claimOf, type OneClaim, type OwnClaim, phaseOf } from "../../api/own-claims.ts";
import { usePersonId } from "../../api/person.ts";
import { useReading } from "../../api/reading.ts";
import { t } from "../../messages/translate.ts";
import { ClaimHero } from "../../parts/claims/hero.tsx";
import { useInPlace } from "../../parts/claims/in-place.ts";
import { Link } from "../../parts/link.tsx";
import { Empty, whenRead } from "../../parts/states.tsx";
import { useNow } from "../../time/clock.ts";
import { formatted } from "../../time/format.ts";

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
          <Empty title="claims.gone" actions={back} />
        ),
      )}
    </div>
  );
}

function Shown({ claim, notifications }: OneClaim & { readonly claim: OwnClaim }) {
  const now = useNow();
  const isOwn = claim.claimer_id === usePersonId();
  const isCurrent = isOwn && phaseOf(claim, now) !== "earlier";
  const [shown] = useInPlace(isCurrent ? [claim] : [], now).filter(({ id }) => id === claim.id);
  if (shown !== undefined && (isCurrent || shown.canUndo)) {
    return <ClaimHero claim={shown} now={now} />;
  }
  const end = <End claim={claim} notifications={notifications} isOwn={isOwn} />;
  return <ClaimHero claim={claim} now={now} outcome={end} />;
}

/**
 * The person who ended it, the time and the reason. Claimers are notified of what others do, so
 * without a notification the claimer cancelled it. Only administrators give a reason.
 */
function End(properties: OneClaim & { readonly claim: OwnClaim; readonly isOwn: boolean }) {
  const { claim, notifications, isOwn } = properties;
  if (claim.status === "active") return null;
  const when = formatted("moment", claim.updated_at);
  if (claim.status === "completed") return <p>{t("claims.finishedOn", { when })}</p>;
  const notice = notifications.nodes.find(({ kind }) => kind === "claim.cancelled");
  const reason = notice?.data?.reason;
  if (reason === undefined) {
    return <p>{t(isOwn && !notice ? "claims.youCancelled" : "claims.wasCancelled", { when })}</p>;
  }
  return (
    <>
      <p>{t("claims.administratorCancelled", { when })}</p>
      <p>{t("claims.reason", { reason })}</p>
    </>
  );
}
