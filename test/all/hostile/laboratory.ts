import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type ExecutionResult, GraphQLError, type GraphQLSchema } from "graphql";
import { describedRoutes } from "../../../src/contract/described.ts";
import { createPool } from "../../../src/database/pool.ts";
import { InvalidDocument } from "../../../src/graphql/answer.ts";
import { documentChecker } from "../../../src/graphql/execution/documents.ts";
import { executor } from "../../../src/graphql/execution/execution.ts";
import { createSchema } from "../../../src/graphql/schema/schema.ts";
import { createLogger } from "../../../src/log/logger.ts";
import type { Identity } from "../../../src/tokens/identity.ts";
import { type Building, openBuilding } from "../../support/building.ts";
import type { HostileDocument, Ids } from "./documents.ts";
import { countAllocations, processorTimeOf } from "./efforts.ts";
import { fillBuilding } from "./full-building.ts";

/** What one point of a document takes. */
export interface Strain {
  readonly nodeMs: number;
  readonly databaseMs: number;
  /** The bytes that it puts on the heap: it never holds more. */
  readonly heap: number;
  /** The length of the answer. */
  readonly bytes: number;
}

export interface Measured extends Strain {
  readonly points: number;
  /** Whether it was executed. */
  readonly isAccepted: boolean;
}

/** Where documents are executed one by one, without HTTP, and measured. */
export interface Laboratory {
  readonly building: Building;
  readonly schema: GraphQLSchema;
  readonly ids: Ids;
  measure(document: HostileDocument): Promise<Measured>;
  /** The memory in use, without garbage. */
  heapUsed(): number;
  close(): Promise<void>;
}

export async function openLaboratory(spots: number): Promise<Laboratory> {
  const building = await openBuilding();
  const resident = await building.resident();
  const ids = await fillBuilding(building, resident.id, spots);
  let measured = 0;
  // One connection, which stays: its processor time is that of the document.
  const pool = createPool(building.database.url("parking_api"), createLogger("silent"), {
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: 100_000,
  });
  const schema = await createSchema(pool, await describedRoutes(pool));
  const check = documentChecker(schema, true);
  const execute = executor(pool, () =>
    Promise.reject(new Error("no document here changes anything")),
  );
  const caller: Identity = { sub: resident.id, email: resident.email };
  const { signal } = new AbortController();
  const terms = { isGone: () => false, charge: () => undefined };

  async function answer(document: HostileDocument): Promise<[ExecutionResult, number | undefined]> {
    try {
      const checked = check(document);
      return [await execute(caller, checked, document, signal, terms), checked.points];
    } catch (error) {
      const errors =
        error instanceof InvalidDocument ? error.errors : [new GraphQLError(String(error))];
      return [{ errors }, undefined];
    }
  }

  async function backend(): Promise<number> {
    const { rows } = await pool.query<{ pid: number }>("select pg_backend_pid() as pid");
    return rows[0]?.pid ?? Number.NaN;
  }

  return {
    building,
    schema,
    ids,
    async measure(original) {
      // A comment makes it a document that was never planned.
      const document = { ...original, query: `${original.query} #${measured++}` };
      const pid = await backend();
      const inDatabase = processorTimeOf(pid);
      const allocated = countAllocations();
      const before = process.cpuUsage();
      const [{ data, errors = [] }, cost] = await answer(document);
      const messages = errors.slice(0, 10).map(({ message, path }) => ({ message, path }));
      const text = JSON.stringify({ data, errors: messages });
      const { user, system } = process.cpuUsage(before);
      const points = cost ?? 1;
      return {
        points,
        isAccepted: cost !== undefined,
        nodeMs: (user + system) / 1000 / points,
        databaseMs: (processorTimeOf(pid) - inDatabase) / points,
        heap: allocated() / points,
        bytes: Buffer.byteLength(text) / points,
      };
    },
    heapUsed() {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    },
    async close() {
      await pool.end();
      await building.close();
    },
  };
}

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
}
