import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { atOnce, inWaves, remainingOf, statuses } from "../../limits/rates.ts";
import { type Building, openBuilding } from "../../support/building.ts";
import { requestJson } from "../../support/person.ts";
import { type Program, startProgram } from "../../support/program.ts";

/** By the hour: on a busy machine a restart may take a minute. */
const settings = {
  RATE_LIMIT_STORE: "postgres",
  RATE_LIMIT_PER_MINUTE: "0",
  RATE_LIMIT_PER_HOUR: "100",
  PROFILE_RATE_LIMIT_PER_MINUTE: "0",
  PROFILE_RATE_LIMIT_PER_HOUR: "10",
};

let building: Building;
let processes: Program[] = [];
beforeAll(async () => {
  building = await openBuilding();
  processes = await atOnce(2, () => startProgram(building, settings));
});
afterAll(async () => {
  await Promise.all(processes.map((process) => process.stop()));
  await building.close();
});

/** To both in turn. More at once would wait for a connection, for a second at most. */
async function storm(path: string, token: string) {
  const origins = processes.map(({ origin }) => origin);
  const ask = (i: number) =>
    requestJson(origins[i % origins.length] ?? "", "GET", `/api${path}`, { token });
  return inWaves(200, ask, 4);
}

describe("two processes on one database", () => {
  it("allow as much as one", async () => {
    const { token } = await building.newcomer();

    const answers = await storm("/nowhere", token);

    expect(statuses(answers)).toEqual({ 404: 100, 429: 100 });
    const served = answers.filter(({ status }) => status === 404).map(remainingOf);
    expect(new Set(served).size).toBe(100);
  });

  it("allow as much of GET /profile as one", async () => {
    const { token } = await building.newcomer();

    expect(statuses(await storm("/profile", token))).toEqual({ 404: 10, 429: 190 });
  });

  it("keep the counts when one of them is restarted", async () => {
    const { token } = await building.newcomer();
    await storm("/nowhere", token);

    const [first, ...others] = processes;
    await first?.stop();
    processes = [await startProgram(building, settings), ...others];

    expect(statuses(await storm("/nowhere", token))).toEqual({ 429: 200 });
  });
});
