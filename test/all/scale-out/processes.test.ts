import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { contradictions } from "../../concurrency/consistency.ts";
import { atOnce, outcomeOf, tally } from "../../concurrency/rivals.ts";
import { answerOf, refusal } from "../../support/answers.ts";
import { type Arena, openArena } from "../../support/arena.ts";
import { spotOf, windowOf } from "../../support/building.ts";
import { effort } from "../../support/effort.ts";
import type { Person } from "../../support/person.ts";
import { noRateLimits, type Program, startProgram } from "../../support/program.ts";
import { served } from "../../support/served.ts";
import { until } from "../../support/waiting.ts";

let building: Arena;
let programs: readonly Program[] = [];
let people: readonly Person[];
beforeAll(async () => {
  building = await openArena(2);
  programs = await Promise.all([1, 2].map(() => startProgram(building, noRateLimits)));
  people = await Promise.all(Array.from({ length: 8 }, () => building.resident()));
  // A process has its connections before they are needed at once, within a second each.
  await Promise.all(
    people.map((person, i) => served(() => processOf(i).ask(person, "PUT", "/profile", {}))),
  );
});
afterAll(async () => {
  await Promise.all(programs.map((program) => program.stop()));
  await building.close();
});

/** Each process in its turn. */
function processOf(i: number): Program {
  const program = programs[i % programs.length];
  if (program === undefined) throw new Error("no process runs");
  return program;
}

let spots = 0;
function register(program: Program, person: Person, building_section = "North") {
  spots += 1;
  const spot = { spot_number: `S-${spots}`, building_section };
  return served(() => program.ask(person, "POST", "/parking-spots", spot));
}

describe("two processes on one database", () => {
  it("let one of eight people have a window that all claim at once", async () => {
    const owner = await building.resident();
    const spot = await spotOf(owner);
    for (let round = 0; round < effort(3, 60); round += 1) {
      const window = await windowOf(owner, spot, round * 4 + 1, round * 4 + 5);
      const { id, start_time, end_time } = window;
      const claim = { availability_id: id, start_time, end_time };
      const outcomes = await atOnce(
        building,
        people.map(
          (person, i) => () => outcomeOf(processOf(i).ask(person, "POST", "/claims", claim)),
        ),
      );
      expect(tally(outcomes)).toEqual({
        201: 1,
        "400 This availability has already been claimed": 7,
      });
    }
  });

  it("all learn a rule that a DBA adds", async () => {
    await building.rows(
      "alter table parking.spots add constraint no_roof check (building_section <> 'Roof')",
    );
    await building.rows("comment on constraint no_roof on parking.spots is 'No cars on the roof'");
    const owner = await building.resident();
    for (const program of programs) {
      const answer = await register(program, owner, "Roof");
      expect(answerOf(answer)).toEqual(refusal(400, "No cars on the roof"));
    }
  });

  it("serve without the one that is killed, and lose nothing that it acknowledged", async () => {
    const acknowledged: string[] = [];
    const statuses = new Set<number>();
    let isOver = false;
    const running = people.map(async (person, i) => {
      const program = processOf(i);
      while (!isOver && program.isRunning()) {
        // Nobody answers what was sent to the process that is killed.
        const answer = await register(program, person).catch(() => undefined);
        if (answer === undefined) return;
        statuses.add(answer.status);
        acknowledged.push(answer.headers.get("Location")?.split("/").at(-1) ?? "");
      }
    });
    await until("some writes", () => acknowledged.length > 60);
    await processOf(0).kill();
    const before = acknowledged.length;
    await until("more writes", () => acknowledged.length > before + 60);
    isOver = true;
    await Promise.all(running);

    expect(statuses).toEqual(new Set([201]));
    const there = await building.rows<{ id: string }>(
      "select id from parking.spots where id = any($1)",
      [acknowledged],
    );
    expect(there).toHaveLength(acknowledged.length);
    expect(await building.rows(contradictions)).toEqual([]);
  });
});
