import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Person } from "../support/person.ts";
import { type Program, startProgram } from "../support/program.ts";
import { served } from "../support/served.ts";
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
  `{ ${many(26, (i) => `a${i}: node(nodeId: "${node}") { nodeId }`)} }`,
  `{ notifications(first: 200) { nodes { ${many(15, (i) => `a${i}: message`)} } } }`,
  `{ claims(first: 200) { nodes { ${many(30, (i) => `${`a${i}`.padEnd(64, "_")}: id`)} } } }`,
  `{ __schema { types { fields { ${many(150, (i) => `a${i}: name`)} } } } }`,
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

describe("documents, their plans and what they read of the schema", () => {
  it.each([0, 5])("are kept in less than 80 MB, however many there are: %s", async (which) => {
    const query = greedy(node)[which] ?? "";
    await laboratory.measure(documentOf(query));
    const before = laboratory.heapUsed();
    for (let i = 0; i < 60; i++) await laboratory.measure(documentOf(query));

    expect(laboratory.heapUsed() - before).toBeLessThan(80_000_000);
  });
});

describe("a process with a heap of 256 MB", () => {
  it("survives the worst that people can ask for in an hour", async () => {
    const { building } = laboratory;
    const program = await startProgram(building, {
      NODE_OPTIONS: "--max-old-space-size=256",
      RATE_LIMIT_PER_MINUTE: "0",
      RATE_LIMIT_PER_HOUR: String(POINTS),
    });
    try {
      await Promise.all([resident, await building.resident()].map((it) => spend(program, it)));

      expect(program.isRunning()).toBe(true);
      const other = await building.resident();
      const query = "{ __typename }";
      const { body } = await served(() => program.ask(other, "POST", "/graphql", { query }));
      expect(body).toEqual({ data: { __typename: "Query" } });
    } finally {
      await program.stop();
    }
  }, 900_000);

  /** Sends the documents, ten at a time, until the person has no points left. */
  async function spend(program: Program, person: Person): Promise<void> {
    const documents = greedy(node);
    let sent = 0;
    let isOver = false;
    const sendOn = async (): Promise<void> => {
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
