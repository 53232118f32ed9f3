import { Pool } from "pg";
import { type Building, openBuilding, type Shared, shared } from "./building.ts";

/** A building whose database the tests also use directly. */
export interface Arena extends Building {
  /** Sees what every connection waits for, and may lock any table. */
  readonly superuser: Pool;
  /** For transactions, as the API role, that a test holds open. */
  readonly direct: Pool;
}

/** One for all tests of a file, or of a describe. */
export const useArena = (connections: number): Shared<Arena> =>
  shared(() => openArena(connections));

export async function openArena(connections: number): Promise<Arena> {
  const building = await openBuilding({ connections });
  const superuser = poolOf(building.database.url("postgres"));
  const direct = poolOf(building.database.url("parking_api"));
  return {
    ...building,
    superuser,
    direct,
    close: async () => {
      await Promise.all([superuser.end(), direct.end()]);
      await building.close();
    },
  };
}

const poolOf = (connectionString: string): Pool =>
  // The database is dropped under connections that are about to close; that is no error.
  new Pool({ connectionString, max: 3 }).on("error", () => {});
