import type { Program } from "../../support/program.ts";
import type { Resident } from "./own-building.ts";

/** What people asked for while the database failed, and what became of it. */
export interface Outcome {
  /** The ids of the spots whose registration was answered with 201. */
  readonly acknowledged: readonly string[];
  /** How often each status was answered, or each error was met instead of an answer. */
  readonly statuses: ReadonlyMap<number | string, number>;
}

let spots = 0;

/** People register spots and read lists, each as soon as the last request is answered. */
export function startLoad(program: Program, people: readonly Resident[]) {
  const acknowledged: string[] = [];
  const statuses = new Map<number | string, number>();
  let isOver = false;

  async function ask(person: Resident, method: string, path: string, body?: unknown) {
    const answer = await program.ask(person, method, path, body).catch((error) => error);
    const status = answer.status ?? String(answer.cause?.code ?? answer.message);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    return answer;
  }
  const ends = people.map(async (person) => {
    while (!isOver) {
      spots += 1;
      const spot = { spot_number: `L-${spots}`, building_section: "North" };
      const { status, body } = await ask(person, "POST", "/parking-spots", spot);
      if (status === 201) acknowledged.push(body.spot.id);
      await ask(person, "GET", "/parking-spots?limit=5");
    }
  });
  return {
    acknowledged,
    statuses,
    async stop(): Promise<Outcome> {
      isOver = true;
      await Promise.all(ends);
      return { acknowledged, statuses };
    },
  };
}
