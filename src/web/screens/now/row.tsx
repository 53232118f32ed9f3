import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import type { ClaimLimits } from "../../api/building.ts";
import { claimOf, type OwnClaim, phaseOf } from "../../api/own-claims.ts";
import { useReading } from "../../api/reading.ts";
import type { Claim } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { ActionButton, Refusal, useAction } from "../../parts/form.tsx";
import { Icon } from "../../parts/icons.tsx";
import { useReturn } from "../../time/clock.ts";
import { formatNear, formatNearMoment, formatted, isOneDay } from "../../time/format.ts";
import { Answer } from "../claim/answer.tsx";
import { useTap } from "../claim/make.ts";
import type { Result } from "./results.ts";

/**
 * Tapped rows stay in place with the result. Otherwise the next row would slide under the finger,
 * and a refusal would disappear with its row.
 */
export interface KeptRow {
  readonly result: Result;
  readonly index: number;
  readonly claim?: OwnClaim;
}

export interface Kept {
  readonly rows: readonly KeptRow[];
  keep(row: KeptRow): void;
  letGo(id: string): void;
  /** The claims whose rows are drawn, so that no other part shows them. */
  readonly drawn: readonly string[];
  /** Called when a row draws its claim. The result is called when the row no longer does. */
  draw(claimId: string): () => void;
}

/** The rows go when the person looks for another time, or returns to the page after a while. */
export function useKept(lookedFor: string): Kept {
  const [state, set] = useState({ lookedFor, rows: [] as readonly KeptRow[] });
  const [drawn, setDrawn] = useState<readonly string[]>([]);
  useReturn(() => set({ lookedFor: "", rows: [] }));
  const rows = state.lookedFor === lookedFor ? state.rows : [];
  const update = (id: string, row?: KeptRow) =>
    set((before) => {
      const kept = before.lookedFor === lookedFor ? before.rows : [];
      const others = kept.filter(({ result }) => result.id !== id);
      return { lookedFor, rows: row ? [...others, row] : others };
    });
  return {
    rows,
    keep: (row) => update(row.result.id, row),
    letGo: (id) => update(id),
    drawn,
    draw(claimId) {
      setDrawn((before) => [...before, claimId]);
      return () => setDrawn((before) => before.filter((id) => id !== claimId));
    },
  };
}

export function withKept(
  results: readonly Result[],
  kept: readonly KeptRow[],
): readonly (Result | KeptRow)[] {
  const isKept = new Set(kept.map(({ result }) => result.id));
  const rows: (Result | KeptRow)[] = results.filter(({ id }) => !isKept.has(id));
  for (const row of kept.toSorted((a, b) => a.index - b.index)) rows.splice(row.index, 0, row);
  return rows;
}

/** A claim that was just made, in the form of the list of claims. */
const asOwn = (claim: Claim, { spot }: Result): OwnClaim => ({
  id: claim.id,
  status: claim.status,
  startTime: claim.start_time,
  endTime: claim.end_time,
  guest: claim.guest ?? null,
  vehicle: claim.vehicle ?? null,
  createdAt: claim.created_at,
  updatedAt: claim.updated_at,
  claimerId: claim.claimer_id,
  availabilityId: claim.availability_id,
  spot: {
    id: spot.id,
    spotNumber: spot.spot_number,
    buildingSection: spot.building_section,
    notes: spot.notes ?? null,
  },
});

/** The end of the free time, with the day only if it differs from the period's. */
const endOf = ({ freeUntil, end }: Result, now: number) =>
  isOneDay(freeUntil, end) ? formatted("time", freeUntil) : formatNearMoment(freeUntil, now);

interface RowProperties {
  readonly row: KeptRow;
  readonly kept: Kept;
  readonly limits: ClaimLimits;
  readonly now: number;
}

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
        text="claim.claim"
      />
      <Refusal action={action} />
    </>
  );
}
