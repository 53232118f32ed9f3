import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describedRoutes } from "../../../src/contract/described.ts";
import { createPool } from "../../../src/database/pool.ts";
import { documentChecker } from "../../../src/graphql/execution/documents.ts";
import { executor } from "../../../src/graphql/execution/execution.ts";
import { createSchema } from "../../../src/graphql/schema/schema.ts";
import { createLogger } from "../../../src/log/logger.ts";
import { type Building, openBuilding } from "../../support/building.ts";
import { fillBuilding } from "./full-building.ts";

/** Where documents are executed one by one, without HTTP. */
export interface Laboratory {
  readonly building: Building;
  /** Ids of rows. */
  readonly ids: readonly string[];
  /** Executes a query of a name of its own, and says whether it was accepted. */
  accepts(query: string): Promise<boolean>;
  /** The memory in use, without garbage. */
  heapUsed(): number;
  close(): Promise<void>;
}

export async function openLaboratory(spots: number): Promise<Laboratory> {
  const building = await openBuilding();
  const resident = await building.resident();
  const ids = await fillBuilding(building, resident.id, spots);
  const url = building.database.url("parking_api");
  const pool = createPool(url, createLogger("silent"), { connectionTimeoutMillis: 100_000 });
  const schema = await createSchema(pool, await describedRoutes(pool));
  const check = documentChecker(schema, true);
  const execute = executor(pool, () =>
    Promise.reject(new Error("no document here changes anything")),
  );
  const caller = { sub: resident.id, email: resident.email };
  const { signal } = new AbortController();
  let executed = 0;
  const terms = { isGone: () => false, charge: () => undefined };

  return {
    building,
    ids,
    async accepts(text) {
      // A comment makes it a document that was never planned.
      const query = `query Main ${text} #${executed++}`;
      const document = { query, operationName: "Main", variables: {} };
      try {
        await execute(caller, check(document), document, signal, terms);
        return true;
      } catch {
        return false;
      }
    },
    heapUsed() {
      setFlagsFromString("--expose-gc");
      runInNewContext("gc")();
      return process.memoryUsage().heapUsed;
    },
    async close() {
      await pool.end();
      await building.close();
    },
  };
}
