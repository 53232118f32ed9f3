import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { ask } from "../graphql/ask.ts";
import type { Person } from "../support/person.ts";
import { type Program, startProgram } from "../support/program.ts";
import type { HostileDocument } from "./documents.ts";
import { type Laboratory, openLaboratory } from "./laboratory.ts";

/** An hour's quota of one person; `npm test` takes a part of it. */
const POINTS = process.env.HOSTILE_SECONDS ? 1000 : 150;

const many = (count: number, part: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => part(i)).join(" ");

const documentOf = (query: string): HostileDocument => ({
  query: `query Main ${query}`,
  operationName: "Main",
  variables: {},
});

/** Those that keep or send the most for their points; no two documents that are sent are equal. */
const greedy = (node: string): readonly string[] => [
  `{ ownProfile { ${many(28, (i) => `a${i}: claims(first: ${i + 1}) { nodes { id } }`)} } }`,
  `{ spots(first: 0) { nodes { ${many(
    28,
    (i) => `a${i}: claims(first: ${i + 1}) { nodes { id } }`,
  )} } } }`,
  `{ ${many(35, (i) => `a${i}: node(nodeId: "${node}") { nodeId }`)} }`,
  `{ notifications(first: 200) { nodes { ${many(15, (i) => `a${i}: message`)} } } }`,
  `{ claims(first: 200) { nodes { ${many(30, (i) => `${`a${i}`.padEnd(64, "_")}: id`)} } } }`,
  "{ __schema { types { name fields { name args { name } type { name } } } } }",
];

let laboratory: Laboratory;
let resident: Person;
let node: string;
beforeAll(async () => {
  laboratory = await openLaboratory(100);
  resident = await laboratory.building.resident();
  node = Buffer.from(JSON.stringify(["Spot", laboratory.ids[0]])).toString("base64");
});
afterAll(() => laboratory.close());

describe("documents and their plans", () => {
  it("are kept in less than 80 MB, however many there are", async () => {
    const [query] = greedy(node);
    if (!query) throw new Error("there is no document");
    await laboratory.measure(documentOf(query));
    const before = laboratory.heapUsed();
    for (let i = 0; i < 60; i++) await laboratory.measure(documentOf(query));

    expect(laboratory.heapUsed() - before).toBeLessThan(80_000_000);
  }, 60_000);
});

describe("a process with a heap of 256 MB", () => {
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(laboratory.building, {
      NODE_OPTIONS: "--max-old-space-size=256",
      RATE_LIMIT_PER_MINUTE: "0",
      RATE_LIMIT_PER_HOUR: String(POINTS),
    });
  });
  afterAll(() => program.stop());

  it("survives the worst that people can ask for in an hour", async () => {
    const people = [resident, await laboratory.building.resident()];
    await Promise.all(people.map((person) => spend(person)));

    expect(program.isRunning()).toBe(true);
    const other = await laboratory.building.resident();
    const building = {
      ...laboratory.building,
      service: { ...laboratory.building.service, ...program },
    };
    expect(await ask(building, other, "{ __typename }")).toEqual({ __typename: "Query" });
  }, 900_000);

  /** Sends the documents, ten at a time, until the person has no points left. */
  async function spend(person: Person): Promise<void> {
    let sent = 0;
    let isOver = false;
    const sendOn = async (): Promise<void> => {
      const documents = greedy(node);
      while (!isOver) {
        const query = `${documents[sent % documents.length]} #${person.id} ${sent++}`;
        const { status } = await program.ask(person, "POST", "/graphql", { query });
        expect([200, 429, 503]).toContain(status);
        isOver ||= status === 429;
      }
    };
    await Promise.all(Array.from({ length: 10 }, sendOn));
  }
});
