import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import type { ClaimLimits } from "../../api/building.ts";
import { claimOf, type OwnClaim, phaseOf } from "../../api/own-claims.ts";
import { useReading } from "../../api/reading.ts";
import { plain, t } from "../../messages/translate.ts";
import { Icon } from "../../parts/controls.tsx";
import { ActionButton } from "../../parts/form.tsx";
import { Star } from "../../parts/star.tsx";
import { useReturn } from "../../time/clock.ts";
import { formatNearMoment, formatted, isOneDay } from "../../time/format.ts";
import { Answer } from "../claim/answer.tsx";
import { useTap } from "../claim/make.ts";
import type { Result } from "./results.ts";
import type { Wanted } from "./spans.ts";

/**
 * Tapped rows stay in place with the result. Otherwise the next row would slide under the finger,
 * and a refusal would disappear with its row.
 */
export interface PinnedRow {
  readonly result: Result;
  readonly index: number;
  readonly claim?: OwnClaim;
}

export type Pinned = ReturnType<typeof usePinned>;

/** The rows go when the person looks for another time, or returns to the page after a while. */
export function usePinned(lookedFor: string) {
  const [state, set] = useState({ lookedFor, rows: [] as readonly PinnedRow[] });
  /** The claims whose rows are drawn, so that no other part shows them. */
  const [drawn, setDrawn] = useState<readonly string[]>([]);
  useReturn(() => set({ lookedFor: "", rows: [] }));
  const rows = state.lookedFor === lookedFor ? state.rows : [];
  const update = (id: string, row?: PinnedRow) =>
    set((before) => {
      const pinned = before.lookedFor === lookedFor ? before.rows : [];
      const others = pinned.filter(({ result }) => result.id !== id);
      return { lookedFor, rows: row ? [...others, row] : others };
    });
  return {
    rows,
    pin: (row: PinnedRow) => update(row.result.id, row),
    unpin: (id: string) => update(id),
    drawn,
    /** Called when a row draws its claim. The result is called when the row no longer does. */
    draw(claimId: string) {
      setDrawn((before) => [...before, claimId]);
      return () => setDrawn((before) => before.filter((id) => id !== claimId));
    },
  };
}

export function withPinned(
  results: readonly Result[],
  pinned: readonly PinnedRow[],
): readonly (Result | PinnedRow)[] {
  const isPinned = new Set(pinned.map(({ result }) => result.id));
  const rows: (Result | PinnedRow)[] = results.filter(({ id }) => !isPinned.has(id));
  for (const row of pinned.toSorted((a, b) => a.index - b.index)) rows.splice(row.index, 0, row);
  return rows;
}

/** The hours that a tap claims or, if they are those that the person looks for, the end of the free time. */
function hoursOf({ start, end, freeUntil, isWhole, isLater }: Result, wanted: Wanted, now: number) {
  // The day of the search is above the list.
  const near = (moment: number) =>
    isOneDay(wanted.start, moment) ? formatted("time", moment) : formatNearMoment(moment, now);
  if (!isWhole && !isLater && start === wanted.start)
    return t("now.partUntil", { until: near(end) });
  if (!isWhole && end >= wanted.end) return t("now.partFrom", { from: near(start) });
  if (!isWhole || isLater || wanted.until !== undefined)
    return plain(`${near(start)} – ${near(end)}`);
  return t("now.freeUntil", { until: near(freeUntil) });
}

interface RowProperties {
  readonly row: PinnedRow;
  readonly wanted: Wanted;
  readonly pinned: Pinned;
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
function Claimed({ row, pinned, now, made }: RowProperties & { readonly made: OwnClaim }) {
  const read = useReading(claimOf(made.id)).value;
  const claim = read === undefined ? made : read.claim;
  const isOver = claim === null || phaseOf(claim, now) === "earlier";
  const unpin = () => pinned.unpin(row.result.id);
  useLayoutEffect(() => pinned.draw(made.id), []);
  useEffect(() => {
    if (isOver) unpin();
  }, [isOver]);
  if (isOver) return null;
  return (
    <>
      <p class="big" tabIndex={-1}>
        <Icon name="check" />
        {t("claim.yours", { spot: claim.spot.spot_number })}
      </p>
      <Answer claim={claim} undone={unpin} />
    </>
  );
}

function Offered({ row, wanted, pinned, limits, now }: RowProperties) {
  const { result } = row;
  const { spot, window } = result;
  const claim = useTap(limits);
  const submit = async () => {
    pinned.pin(row);
    const made = await claim(window.id, result);
    if (made) pinned.pin({ ...row, claim: { ...made, spot: result.spot } });
  };
  return (
    <>
      <Star spot={spot} />
      <div class="beside free-what">
        <strong>{plain(spot.spot_number)}</strong>
        <span class="quiet">{plain(spot.building_section)}</span>
        {!spot.is_verified && <span class="badge attention">{t("spots.unverified")}</span>}
        {spot.notes !== undefined && <span class="small free-notes">{plain(spot.notes)}</span>}
        <span class="free-until quiet small">{hoursOf(result, wanted, now)}</span>
      </div>
      <ActionButton
        class="claim-button"
        aria-label={t("claim.title", { spot: spot.spot_number })}
        act={submit}
        text="claim.claim"
      />
    </>
  );
}
