import { afterEach, describe, expect, it } from "@jest/globals";
import { useArena } from "../support/arena.ts";
import {
  claimOf,
  holding,
  hours,
  offer,
  type Spot,
  spotOf,
  windowOf,
} from "../support/building.ts";
import { setLimits } from "../support/limits.ts";
import { type Failure, type Person, requestJson } from "../support/person.ts";
import { backdate } from "../support/rows.ts";
import { claimsOf, setClaims, withTransactionOf } from "../support/sql.ts";
import { expectConsistency } from "./consistency.ts";
import { atOnce, connectionsFor, outcomeOf, outcomeOfSql, several, tally } from "./rivals.ts";
import { withTransaction } from "./transaction.ts";

const RIVALS = 8;
const ROUNDS = Number(process.env.RIVAL_ROUNDS ?? 5);
const STALE = "412 It has changed since it was read: read it again";

const arena = useArena(connectionsFor(RIVALS));
const administrator = arena.shared("administrator");
afterEach(async () => {
  await expectConsistency(arena);
  expect(await arena.rows("table private.count_drifts")).toEqual([]);
});

const change = (person: Person, method: string, path: string, tags: string, body?: object) =>
  requestJson<Failure>(arena.service.origin, method, `/api${path}`, {
    token: person.token,
    headers: { "If-Match": tags },
    ...(body && { body }),
  });
const tagAt = async (person: Person, path: string): Promise<string> =>
  (await person.get(path, 200)).headers.get("ETag") ?? "";

describe("changes of one row at one moment, each with the tag that all have read", () => {
  const scenes = {
    "a spot": async () => {
      const person = await arena.resident();
      const path = `/parking-spots/${(await spotOf(person)).id}`;
      return { person, path, body: (i: number) => ({ building_section: `Section ${i}` }) };
    },
    "a window": async () => {
      const { owner, window } = await offer(arena);
      const path = `/availabilities/${window.id}`;
      return { person: owner, path, body: (i: number) => ({ end_time: hours(10 + i) }) };
    },
    "a claim": async () => {
      const { claimer, claim } = await holding(arena);
      const path = `/claims/${claim.id}`;
      const end_time = new Date(Date.parse(claim.end_time) - 3_600_000).toISOString();
      return { person: claimer, path, body: () => ({ end_time }) };
    },
    "the building": async () => ({
      person: administrator,
      path: "/building",
      to: "/admin/building",
      body: (i: number) => ({ name: `Rival ${performance.now()} ${i}` }),
    }),
  };

  it.each(Object.entries(scenes))(
    "%s: one is carried out, and 412 tells the others",
    async (_, make) => {
      for (let round = 0; round < ROUNDS; round++) {
        const { person, path, body, ...scene } = await make();
        const tag = await tagAt(person, path);
        const to = "to" in scene ? scene.to : path;
        const rivals = await several(
          RIVALS,
          async (i) => () => outcomeOf(change(person, "PUT", to, tag, body(i))),
        );
        expect(tally(await atOnce(arena, rivals))).toEqual({ "200": 1, [STALE]: RIVALS - 1 });
      }
    },
  );

  it("a deletion and changes: one of them is carried out", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { person, path, body } = await scenes["a spot"]();
      const tag = await tagAt(person, path);
      const outcomes = await atOnce(arena, [
        () => outcomeOf(change(person, "DELETE", path, tag)),
        () => outcomeOf(change(person, "PUT", path, tag, body(1))),
        () => outcomeOf(change(person, "PUT", path, tag, body(2))),
      ]);
      expect(outcomes.filter((outcome) => outcome === "200")).toHaveLength(1);
    }
  });
});

it("people who read, add to what they read, and write lose nothing of each other", async () => {
  const person = await arena.resident();
  const path = `/parking-spots/${(await spotOf(person, "-")).id}`;
  const add = async (mark: string): Promise<void> => {
    for (;;) {
      const { headers, body } = await person.get<{ spot: Spot }>(path, 200);
      const building_section = `${body.spot.building_section} ${mark}`;
      const { status } = await change(person, "PUT", path, headers.get("ETag") ?? "", {
        building_section,
      });
      if (status === 200) return;
      expect(status).toBe(412);
    }
  };
  const marks = Array.from({ length: 2 * RIVALS }, (_, i) => `m${i}`);
  await Promise.all(
    [marks.slice(0, RIVALS), marks.slice(RIVALS)].map(async (own) => {
      for (const mark of own) await add(mark);
    }),
  );
  const { body } = await person.get<{ spot: Spot }>(path, 200);
  expect(body.spot.building_section.split(" ").toSorted()).toEqual(["-", ...marks].toSorted());
});

describe("a change that sees one snapshot", () => {
  it("does not exceed a limit of the building", async () => {
    const claimer = await arena.resident();
    for (let round = 0; round < ROUNDS; round++) {
      // Two claims that have ended do not count; moved into the future, they do.
      const ended = await several(2, async () => {
        const owner = await arena.resident();
        const window = await windowOf(owner, await spotOf(owner), 1, 20);
        const claim = await claimOf(claimer, window);
        await backdate(arena, "availabilities", window, -10, 20);
        await backdate(arena, "claims", claim, -5, -3);
        return claim;
      });
      await arena.rows("select private.recount()"); // triggers did not count the dates above
      await setLimits(arena, { most_active_claims: 1 });
      const outcomes = await atOnce(
        arena,
        ended.map(({ id }) => () => {
          const times = { start_time: hours(2), end_time: hours(3) };
          return outcomeOf(change(claimer, "PUT", `/claims/${id}`, "*", times));
        }),
      );
      await setLimits(arena, {});
      expect(tally(outcomes)).toEqual({
        "200": 1,
        "409 You have as many claims that have not ended as the building allows": 1,
      });
      for (const { id } of ended) await claimer.delete(`/claims/${id}`);
    }
  });

  it("does not delete a spot whose new window was claimed meanwhile", async () => {
    const { owner, spot, claimer } = await offer(arena);
    await withTransactionOf(arena.direct, async (client) => {
      await client.query("set transaction isolation level repeatable read");
      await setClaims(client, claimsOf(owner));
      await client.query("select from parking.spots");
      await claimOf(claimer, await windowOf(owner, spot, 10, 20));

      const deletion = client.query("select api.delete_spot($1)", [spot.id]);
      expect(await outcomeOfSql(deletion)).toBe("40001");
    });
  });

  it("erases also what the person wrote while the erasure waited", async () => {
    const person = await arena.resident();
    await person.put("/profile", { full_name: "Zacharias Quill" }, 200);
    const path = `/admin/profiles/${person.id}`;
    const tag = await tagAt(administrator, path);
    await withTransaction(arena, person, async (transaction) => {
      await transaction.call("create_spot", {
        spot_number: "Of Zacharias Quill",
        building_section: "North",
      });
      const erasure = change(administrator, "DELETE", `${path}?reason=left`, tag);
      await transaction.isWaitedFor();
      await transaction.end("commit");
      expect((await erasure).status).toBe(200);
    });
    expect(await arena.rows("select from parking.spots where spot_number ~ 'Quill'")).toEqual([]);
  });
});
