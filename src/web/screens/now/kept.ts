import { useState } from "preact/hooks";
import type { OwnClaim } from "../../api/own-claims.ts";
import type { Claim } from "../../api/resources.ts";
import { useReturn } from "../../time/return.ts";
import type { Result } from "./results.ts";

/**
 * Tapped rows stay in place with the result. Otherwise the next row would slide under the finger,
 * and a refusal would disappear with its row.
 */
export interface KeptRow {
  readonly result: Result;
  readonly index: number;
  /** The claim as it was made. */
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

/** The free spots, with the kept rows in their places. */
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
export const asOwn = (claim: Claim, { spot }: Result): OwnClaim => ({
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
