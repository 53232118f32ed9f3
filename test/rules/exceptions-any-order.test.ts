import { afterEach, expect, it } from "@jest/globals";
import {
  claimOf,
  hours,
  type Spot,
  spotOf,
  useBuilding,
  type Window,
  windowOf,
} from "../support/building.ts";
import { expectOrder, offeredHours } from "../support/exceptions.ts";
import type { Person } from "../support/person.ts";
import { type Random, random } from "../support/random.ts";

const ROUNDS = Number(process.env.EXCEPTION_ROUNDS ?? 20);
const HOURS = 40;

const building = useBuilding();
afterEach(() => expectOrder(building));

type Hour = number;
interface Kept {
  readonly id: string;
  readonly from: Hour;
  readonly to: Hour;
}

/** Which hours are in these spans. */
const inside = (spans: readonly (readonly [Hour, Hour])[]): readonly Hour[] =>
  Array.from({ length: HOURS }, (_, hour) => hour).filter((hour) =>
    spans.some(([from, to]) => from <= hour && hour < to),
  );

async function keep(owner: Person, spot: Spot | undefined, { below }: Random): Promise<Kept> {
  const from = 1 + below(HOURS - 2);
  const to = from + 1 + below(HOURS - 1 - from);
  const { rows } = await owner.sql<{ id: string }>(
    "select id from api.create_exception($1, $2, 'keep', $3)",
    [hours(from), hours(to), spot?.id ?? null],
  );
  return { id: rows[0]?.id ?? "", from, to };
}

it.each(Array.from({ length: ROUNDS }, (_, seed) => seed))(
  "of exceptions that come and go in any order, no minute is lost, and none is on offer that is kept (%i)",
  async (seed) => {
    const chance = random(seed);
    const { below } = chance;
    const owner = await building.resident();
    const spot = await spotOf(owner);
    const shared: [Hour, Hour][] = [];
    for (let hour = 1; hour < HOURS - 4; ) {
      const [from, to] = [hour, hour + 1 + below(8)];
      if (below(4) > 0) shared.push([from, Math.min(to, HOURS)]);
      hour = to + below(2);
    }
    const windows: Window[] = [];
    for (const [from, to] of shared) windows.push(await windowOf(owner, spot, from, to));
    const claimed = below(3) === 0 ? windows[below(windows.length)] : undefined;
    const free = shared.filter((_, i) => windows[i] !== claimed);
    if (claimed) await claimOf(await building.resident(), claimed);
    const before = await offeredHours(owner, spot);

    let kept: readonly Kept[] = [];
    for (let step = 0; step < 14; step++) {
      const gone = below(2) === 0 || step > 8 ? kept[below(kept.length)] : undefined;
      if (gone) {
        await owner.sql("select api.delete_exception($1)", [gone.id]);
        kept = kept.filter((it) => it !== gone);
      } else if (step <= 8) {
        kept = [...kept, await keep(owner, below(2) === 0 ? spot : undefined, chance)];
      }
      const needed = inside(kept.map(({ from, to }) => [from, to]));
      const offer = await offeredHours(owner, spot);
      expect(inside(offer.map(([from = 0, to = 0]) => [from, to]))).toEqual(
        inside(free).filter((hour) => !needed.includes(hour)),
      );
    }
    for (const { id } of kept) await owner.sql("select api.delete_exception($1)", [id]);
    const after = await offeredHours(owner, spot);
    expect(after).toEqual(before);
  },
);
