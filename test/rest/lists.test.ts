import { beforeAll, describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";

/** More than the largest page holds. */
const COUNT = 230;

interface List {
  readonly path: string;
  readonly member: string;
  /** What the list is ordered by, before the id. */
  readonly key: string;
  readonly descending: boolean;
}
type Item = Readonly<Record<string, string | boolean | null>>;

const lists: readonly List[] = [
  { path: "/parking-spots", member: "spots", key: "spot_number", descending: false },
  { path: "/availabilities", member: "availabilities", key: "start_time", descending: false },
  { path: "/claims", member: "claims", key: "start_time", descending: true },
  { path: "/notifications", member: "notifications", key: "created_at", descending: true },
  { path: "/admin/profiles", member: "profiles", key: "created_at", descending: true },
  { path: "/admin/invitations", member: "invitations", key: "created_at", descending: true },
];

const building = useBuilding();
const reader = building.shared("administrator");
beforeAll(async () => {
  await fill();
});

/**
 * Adds COUNT rows to every list of the reader, as the owner of the database. They are made in
 * another order than they are listed, and about three have each time, so that the id must decide.
 */
async function fill(): Promise<void> {
  await building.rows(
    `with users as (
       insert into private.users (id, email)
       select gen_random_uuid(), n || '@test.example'
         from generate_series(2, $1::int) n
       returning id, email
     )
     insert into parking.profiles (id, email, apartment_number, created_at)
     select id, email, '1A',
            '2026-01-01T00:00:00Z'::timestamptz + (row_number() over () % 77) * interval '1 hour'
       from users`,
    [COUNT],
  );
  await building.rows(
    `insert into parking.spots (id, spot_number, owner_id, building_section)
     select gen_random_uuid(), 'S-' || to_char(n * 37 % 1000, 'FM000'), $1, 'North'
       from generate_series(1, $2::int) n`,
    [reader.id, COUNT],
  );
  await building.rows(
    `insert into parking.invitations (id, email, apartment_number, inviter_id, created_at)
     select gen_random_uuid(), n || '@invited.example', '1A', $1,
            '2026-01-01T00:00:00Z'::timestamptz + (n * 37 % 77) * interval '1 hour'
       from generate_series(1, $2::int) n`,
    [reader.id, COUNT],
  );
  await building.rows(
    `insert into parking.availabilities (id, spot_id, owner_id, start_time, end_time)
     select gen_random_uuid(), id, owner_id, start_time, start_time + interval '1 hour'
       from (
         select s.*, now() + (1 + row_number() over () % 77) * interval '1 hour' as start_time
           from parking.spots s
       ) spots`,
  );
  // Each claim notifies the reader, who owns the spots.
  await building.rows(
    `insert into parking.claims
       (id, availability_id, spot_id, owner_id, claimer_id, start_time, end_time)
     select gen_random_uuid(), a.id, a.spot_id, a.owner_id, p.id, a.start_time, a.end_time
       from parking.availabilities a,
            (select id from parking.profiles where id <> $1 limit 1) p`,
    [reader.id],
  );
  // Each of those who wait for approval as well.
  await building.rows("delete from parking.notifications where kind = 'profiles.waiting'");
  await building.rows(
    `update parking.notifications n
        set created_at = now() - minutes * interval '1 minute'
       from (select id, row_number() over () % 77 as minutes from parking.notifications) spread
      where n.id = spread.id`,
  );
}

const pageOf = async ({ path, member }: List, query = "") => {
  const { body } = await reader.get<Readonly<Record<string, readonly Item[] | number>>>(
    `${path}?${query}`,
    200,
  );
  expect(Object.keys(body)).toEqual([member, "total"]);
  const items = body[member];
  if (typeof items !== "object") throw new Error(`${path} has no list of ${member}`);
  return { items, total: body.total };
};

const wholeList = async (list: List): Promise<readonly Item[]> => {
  const pages = [];
  for (const offset of [0, 100, 200]) {
    pages.push((await pageOf(list, `limit=100&offset=${offset}`)).items);
  }
  return pages.flat();
};

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

describe.each(lists)("GET $path", (list) => {
  const { key, descending } = list;

  it("shows 50 items where no limit is asked for, and counts them all", async () => {
    const { items, total } = await pageOf(list);

    expect(items).toHaveLength(50);
    expect(total).toBe(COUNT);
  });

  it("shows as many as are asked for, and skips as many as the offset says", async () => {
    const whole = await wholeList(list);
    for (const [limit, offset] of [
      [1, 0],
      [49, 0],
      [51, 0],
      [200, 0],
      [7, 123],
      [200, COUNT - 3],
      [50, COUNT],
      [50, 1_000_000],
    ] as const)
      expect(await pageOf(list, `limit=${limit}&offset=${offset}`)).toEqual({
        items: whole.slice(offset, offset + limit),
        total: COUNT,
      });
  });

  it("lists every item once, page by page", async () => {
    const ids = (await wholeList(list)).map(({ id }) => id);

    expect(ids).toHaveLength(COUNT);
    expect(new Set(ids).size).toBe(COUNT);
  });

  it(`is ordered by ${key}${descending ? " descending" : ""}, then id`, async () => {
    const whole = await wholeList(list);

    const sorted = whole.toSorted((a, b) => {
      const byKey = compare(String(a[key]), String(b[key]));
      return (descending ? -byKey : byKey) || compare(String(a.id), String(b.id));
    });

    expect(whole).toEqual(sorted);
  });
});
