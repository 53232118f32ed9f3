import { useEffect, useLayoutEffect } from "preact/hooks";
import type { ClaimLimits } from "../../api/building.ts";
import { claimOf, type OwnClaim, phaseOf } from "../../api/own-claims.ts";
import { useReading } from "../../api/reading.ts";
import { plain, t } from "../../messages/translate.ts";
import { ActionButton, Refusal, useAction } from "../../parts/form.tsx";
import { Icon } from "../../parts/icons.tsx";
import { formatted, isOneDay } from "../../time/format.ts";
import { formatNear, formatNearMoment } from "../../time/near.ts";
import { Answer } from "../claim/answer.tsx";
import { useTap } from "../claim/make.ts";
import { asOwn, type Kept, type KeptRow } from "./kept.ts";
import type { Result } from "./results.ts";

/** The end of the free time, with the day only if it differs from the period's. */
const endOf = ({ freeUntil, end }: Result, now: number) =>
  isOneDay(freeUntil, end) ? formatted("time", freeUntil) : formatNearMoment(freeUntil, now);

interface RowProperties {
  readonly row: KeptRow;
  readonly kept: Kept;
  readonly limits: ClaimLimits;
  readonly now: number;
}

/** A free spot, with one tap to claim it. After that, the claim in its place. */
export function Row(properties: RowProperties) {
  const { claim } = properties.row;
  return (
    <li class={claim ? "free-row answered" : "free-row"}>
      {claim ? <Claimed {...properties} made={claim} /> : <Offered {...properties} />}
    </li>
  );
}

/** The claim that was made in this row, with its later changes, until it is over. */
function Claimed({ row, kept, now, made }: RowProperties & { readonly made: OwnClaim }) {
  const read = useReading(claimOf(made.id)).value;
  const claim = read === undefined ? made : read.claim;
  const isOver = claim === null || phaseOf(claim, now) === "earlier";
  const letGo = () => kept.letGo(row.result.id);
  useLayoutEffect(() => kept.draw(made.id), []);
  useEffect(() => {
    if (isOver) letGo();
  }, [isOver]);
  if (isOver) return null;
  return (
    <>
      <p class="big" tabIndex={-1}>
        <Icon name="check" />
        {t("claim.yours", { spot: claim.spot.spotNumber })}
      </p>
      <Answer claim={claim} undone={letGo} />
    </>
  );
}

function Offered({ row, kept, limits, now }: RowProperties) {
  const { result } = row;
  const { spot, window } = result;
  const action = useAction();
  const claim = useTap(limits);
  const submit = async () => {
    kept.keep(row);
    const made = await claim(window.id, result);
    if (made) kept.keep({ ...row, claim: asOwn(made, result) });
  };
  return (
    <>
      <div class="free-what">
        <strong>{plain(spot.spot_number)}</strong>
        <span class="quiet">{plain(spot.building_section)}</span>
        {!spot.is_verified && <span class="badge attention">{t("spots.unverified")}</span>}
        {spot.notes !== undefined && <span class="small free-notes">{plain(spot.notes)}</span>}
        <span class="free-until quiet small">
          {result.isWhole && !result.isLater
            ? t("now.freeUntil", { until: endOf(row.result, now) })
            : formatNear(result.start, result.end, now)}
        </span>
      </div>
      <ActionButton
        class="claim-button"
        aria-label={t("claim.title", { spot: spot.spot_number })}
        action={action}
        act={submit}
      >
        {t("claim.claim")}
      </ActionButton>
      <Refusal action={action} />
    </>
  );
}
