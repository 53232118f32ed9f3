import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { GraphQLBody } from "../../graphql/ask.ts";
import { type Building, openBuilding, spotOf } from "../../support/building.ts";
import { listenTo } from "../../support/events.ts";
import { outcomeOf, postWithKey } from "../../support/keyed.ts";
import { type Person, requestJson } from "../../support/person.ts";
import {
  findPgBouncer,
  keepsStatements,
  type PgBouncer,
  startPgBouncer,
} from "../../support/pgbouncer.ts";
import { noRateLimits, type Program, startProgram } from "../../support/program.ts";
import { served } from "../../support/served.ts";

const program = findPgBouncer();
const describeWithPgBouncer = program ? describe : describe.skip;

describeWithPgBouncer("PgBouncer in transaction mode", () => {
  let building: Building;
  let person: Person;
  let pgBouncer: PgBouncer;
  let service: Program;
  beforeAll(async () => {
    building = await openBuilding();
    person = await building.resident();
    const url = new URL(building.database.url("parking_api"));
    pgBouncer = await startPgBouncer({
      program: program ?? "",
      serverPort: Number(url.port),
      passwords: { parking_api: url.password },
      connections: 3,
    });
    url.port = String(pgBouncer.port);
    service = await startProgram(building, {
      ...noRateLimits,
      RATE_LIMIT_STORE: "postgres",
      RATE_LIMIT_PER_MINUTE: "999999",
      DATABASE_URL: url.href,
      PREPARED_STATEMENTS: String(keepsStatements(program ?? "")),
    });
  });
  afterAll(async () => {
    await service?.stop();
    await pgBouncer?.[Symbol.asyncDispose]();
    await building.close();
  });

  it("serves reads, writes and GraphQL, before 1.21 with PREPARED_STATEMENTS=false", async () => {
    const query = { query: "{ spots(first: 5) { nodes { id } } }" };
    const mutation = (i: number) => ({
      query: `mutation { createSpot(input: { spotNumber: "M-${i}", buildingSection: "North" }) { spot { id } } }`,
    });
    /** A mutation that failed was executed, so its answer has the status 200; the body says the rest. */
    const ask = async (method: string, path: string, body?: object) => {
      const answer = await requestJson<GraphQLBody<unknown>>(
        service.origin,
        method,
        `/api${path}`,
        { token: person.token, body },
      );
      return { status: answer.body.errors?.[0]?.extensions.status ?? answer.status };
    };
    const statusOf = async (...request: Parameters<typeof ask>) =>
      (await served(() => ask(...request))).status;
    const asked = (i: number) => [
      statusOf("GET", "/claims"),
      statusOf("GET", "/profile"),
      statusOf("POST", "/graphql", i % 2 === 0 ? query : mutation(i)),
      statusOf("POST", "/parking-spots", {
        spot_number: `P-${i}`,
        building_section: "North",
      }),
    ];
    // More at once than PgBouncer has connections.
    for (let i = 0; i < 20; i += 2) {
      const statuses = await Promise.all([...asked(i), ...asked(i + 1)]);
      expect(new Set(statuses)).toEqual(new Set([200, 201]));
    }
    expect(await building.rows("select from parking.spots")).toHaveLength(30);
  });

  it("shows events, although it passes on no notification", async () => {
    const ear = await listenTo(service, person);
    for (let count = 0; count < 3; count++) {
      const { id } = await spotOf(person);
      await ear.until((heard) => heard.some(({ data }) => data.id === id));
    }
    ear.close();
  });

  it("carries out requests with one key once", async () => {
    const body = { spot_number: "Once", building_section: "North" };
    const send = () =>
      outcomeOf(postWithKey(service.origin, person, "/parking-spots", "a key", body));
    const outcomes = await Promise.all([send(), send(), send(), send()]);
    expect(outcomes.filter((outcome) => outcome === "201")).toHaveLength(1);
    expect(await send()).toBe("201 again");
  });
});
