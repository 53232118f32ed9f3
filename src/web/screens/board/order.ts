import { useMemo, useRef } from "preact/hooks";
import type { Period } from "./scale.ts";
import { isClaimable, type Row } from "./slots.ts";

/** What people look for comes first: 0 has free time, 1 is shared, 2 was shared. */
const rankOf = ({ slots }: Row): number =>
  slots.some(isClaimable) ? 0 : slots.some(({ state }) => state !== "over") ? 1 : 2;

/**
 * Free spots come first, and sections with free spots. While the period stays the same, each row
 * stays in its place, so that a finger's target does not move when something else is claimed.
 */
export function useFreeFirst(rows: readonly Row[] | undefined, { from, to }: Period) {
  const ranks = useRef(new Map<string, number>());
  const period = useRef("");
  return useMemo(() => {
    if (rows === undefined) return undefined;
    const shown = `${from} ${to}`;
    if (period.current !== shown) ranks.current.clear();
    period.current = shown;
    for (const row of rows) {
      const { id } = row.spot;
      if (row.slots.length > 0 && !ranks.current.has(id)) ranks.current.set(id, rankOf(row));
    }
    return sorted(rows, (row) => ranks.current.get(row.spot.id) ?? 3);
  }, [rows, from, to]);
}

function sorted(rows: readonly Row[], rank: (row: Row) => number): readonly Row[] {
  const ofSection = new Map<string, number>();
  for (const row of rows) {
    const name = row.spot.building_section;
    ofSection.set(name, Math.min(rank(row), ofSection.get(name) ?? 3));
  }
  const section = (row: Row) => ofSection.get(row.spot.building_section) ?? 3;
  return rows.toSorted(
    (a, b) =>
      section(a) - section(b) ||
      a.spot.building_section.localeCompare(b.spot.building_section) ||
      rank(a) - rank(b),
  );
}
