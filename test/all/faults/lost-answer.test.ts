import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Arena, openArena } from "../../support/arena.ts";
import { outcomeOf, postWithKey } from "../../support/keyed.ts";
import type { Person } from "../../support/person.ts";
import { noRateLimits, type Program, startProgram } from "../../support/program.ts";
import { type Relay, startRelay } from "../../support/relay.ts";
import { withTransactionOf } from "../../support/sql.ts";
import { until, untilWaiting } from "../../support/waiting.ts";

let arena: Arena;
let relay: Relay;
let person: Person;
beforeAll(async () => {
  arena = await openArena(2);
  person = await arena.resident();
  relay = await startRelay(Number(new URL(arena.database.url("parking_api")).port));
});
afterAll(async () => {
  await relay.close();
  await arena.close();
});

const register = ({ origin }: Pick<Program, "origin">, spot_number: string) =>
  outcomeOf(
    postWithKey(origin, person, "/parking-spots", spot_number, {
      spot_number,
      building_section: "North",
    }),
  );
/** The first answer that tells whether it was done. */
async function retry(program: Pick<Program, "origin">, spot: string): Promise<string> {
  // What was cut may notice it only now, and has the key until then; a connection takes its time.
  const notYet = ["409 idempotency_key_in_use", "503 service_unavailable"];
  let retried = "";
  await until("the key", async () => {
    retried = await register(program, spot);
    return !notYet.includes(retried);
  });
  return retried;
}
const countOf = async (spotNumber: string) => {
  const rows = await arena.rows("select from parking.spots where spot_number = $1", [spotNumber]);
  return rows.length;
};

/** In the messages of the protocol a name or a text stands between zero bytes. */
const COMMIT = "\0commit\0";

describe.each(["true", "false"])("with PREPARED_STATEMENTS=%s", (PREPARED_STATEMENTS) => {
  let program: Program;
  const start = (url: string) =>
    startProgram(arena, { ...noRateLimits, PREPARED_STATEMENTS, DATABASE_URL: url });
  beforeAll(async () => {
    program = await start(relay.url(arena.database.url("parking_api")));
  });
  afterAll(() => program.stop());

  it("a connection that is cut after the commit: the retry gets the first answer", async () => {
    const spot = `committed ${PREPARED_STATEMENTS}`;
    relay.loseAnswerTo(COMMIT);
    expect(await register(program, spot)).toBe("503 service_unavailable");
    expect(await countOf(spot)).toBe(1);
    expect(await retry(program, spot)).toBe("201 again");
    expect(await countOf(spot)).toBe(1);
  });

  it("a connection that is cut before the commit: the retry has the effect", async () => {
    const spot = `cut ${PREPARED_STATEMENTS}`;
    await withTransactionOf(arena.superuser, async (client) => {
      await client.query("lock table parking.spots in access exclusive mode");
      const lost = register(program, spot);
      await untilWaiting(arena, 1);
      relay.cut();
      expect(await lost).toBe("503 service_unavailable");
    });
    expect(await retry(program, spot)).toBe("201");
    expect(await countOf(spot)).toBe(1);
  });

  it("a process that is killed: another one answers the retry", async () => {
    const spot = `killed ${PREPARED_STATEMENTS}`;
    const killed = await start(arena.database.url("parking_api"));
    await withTransactionOf(arena.superuser, async (client) => {
      await client.query("lock table parking.spots in access exclusive mode");
      const lost = register(killed, spot).catch(() => "no answer");
      await untilWaiting(arena, 1);
      await killed.kill();
      expect(await lost).toBe("no answer");
      // Its statement still waits in PostgreSQL.
      let meanwhile = "";
      await until("an answer", async () => {
        meanwhile = await register(program, spot);
        return meanwhile !== "503 service_unavailable";
      });
      expect(meanwhile).toBe("409 idempotency_key_in_use");
    });
    expect(await retry(program, spot)).toBe("201");
    expect(await countOf(spot)).toBe(1);
  });
});
