import { beforeEach, describe, expect, it } from "@jest/globals";
import { useArena } from "../support/arena.ts";
import { type Offer, offer } from "../support/building.ts";
import { outcomeOf, postWithKey } from "../support/keyed.ts";
import { withTransactionOf } from "../support/sql.ts";
import { untilWaiting } from "../support/waiting.ts";
import { atOnce, connectionsFor, several, tally } from "./rivals.ts";

const RIVALS = 8;
const ROUNDS = Number(process.env.RIVAL_ROUNDS ?? 10);
const IN_USE = "409 idempotency_key_in_use";

const arena = useArena(connectionsFor(RIVALS));
let offered: Offer;
beforeEach(async () => {
  offered = await offer(arena);
});

const ask = (key: string, { claimer, window } = offered) => {
  const { id, start_time, end_time } = window;
  const body = { availability_id: id, start_time, end_time };
  return postWithKey(arena.service.origin, claimer, "/claims", key, body);
};
const claim = (key: string, own = offered): Promise<string> => outcomeOf(ask(key, own));
const effects = ({ window } = offered) =>
  arena.rows(
    `select c.id, e.type
       from parking.claims c
       join private.events e on e.subject_id = c.id
      where c.availability_id = $1`,
    [window.id],
  );

describe("requests with one key at one moment", () => {
  it("have one effect: each gets its answer, or 409 while it is made", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const own = await offer(arena);
      const rivals = await several(RIVALS, async () => () => claim("at once", own));
      const {
        201: first,
        "201 again": again = 0,
        [IN_USE]: inUse = 0,
      } = tally(await atOnce(arena, rivals));
      expect([first, again + inUse]).toEqual([1, RIVALS - 1]);
      expect(await effects(own)).toHaveLength(1);
    }
  });

  it("do not wait for the one that runs", async () => {
    await withTransactionOf(arena.superuser, async (client) => {
      await client.query("lock table parking.claims in access exclusive mode");
      const running = claim("slow");
      await untilWaiting(arena, 1);
      expect(await Promise.all(await several(5, async () => claim("slow")))).toEqual([
        IN_USE,
        IN_USE,
        IN_USE,
        IN_USE,
        IN_USE,
      ]);
      expect((await ask("slow")).headers.get("Retry-After")).toBe("1");
      await client.query("commit");
      expect(await running).toBe("201");
    });
    expect(await claim("slow")).toBe("201 again");
    expect(await effects()).toHaveLength(1);
  });
});
