import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Person } from "../../support/person.ts";
import { type Program, startProgram } from "../../support/program.ts";
import { served } from "../../support/served.ts";
import { type Laboratory, openLaboratory } from "./laboratory.ts";

/** A part of an hour's quota of one person. */
const POINTS = 150;

const many = (count: number, part: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => part(i)).join(" ");

/** Those that keep or send the most for their points; no two documents that are sent are equal. */
const greedy: readonly ((parts: number, node: string) => string)[] = [
  (parts) =>
    `{ ownProfile { ${many(parts, (i) => `a${i}: claims(first: ${i + 1}) { nodes { id } }`)} } }`,
  (parts) =>
    `{ spots(first: 0) { nodes { ${many(
      parts,
      (i) => `a${i}: claims(first: ${i + 1}) { nodes { id } }`,
    )} } } }`,
  (parts, node) => `{ ${many(parts, (i) => `a${i}: node(nodeId: "${node}") { nodeId }`)} }`,
  (parts) => `{ notifications(first: 200) { nodes { ${many(parts, (i) => `a${i}: message`)} } } }`,
  (parts) =>
    `{ claims(first: 200) { nodes { ${many(parts, (i) => `${`a${i}`.padEnd(64, "_")}: id`)} } } }`,
  (parts) => `{ __schema { types { fields { ${many(parts, (i) => `a${i}: name`)} } } } }`,
];

let laboratory: Laboratory;
let resident: Person;
let documents: readonly string[];
beforeAll(async () => {
  laboratory = await openLaboratory(100);
  resident = await laboratory.building.resident();
  const node = Buffer.from(JSON.stringify(["Spot", laboratory.ids[0]])).toString("base64");
  documents = await Promise.all(greedy.map((it) => largest((parts) => it(parts, node))));
});
afterAll(() => laboratory.close());

/** With as many parts as the service accepts: fewer, the more types and fields the schema has. */
async function largest(documentWith: (parts: number) => string): Promise<string> {
  for (let parts = 200; parts > 10; parts--) {
    const document = documentWith(parts);
    if (await laboratory.accepts(document)) return document;
  }
  throw new Error(`refused with ten parts: ${documentWith(1)}`);
}

describe("documents, their plans and what they read of the schema", () => {
  it.each([0, 5])("are kept in less than 80 MB, however many there are: %s", async (which) => {
    const query = documents[which] ?? "";
    await laboratory.accepts(query);
    const before = laboratory.heapUsed();
    for (let i = 0; i < 60; i++) await laboratory.accepts(query);

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
