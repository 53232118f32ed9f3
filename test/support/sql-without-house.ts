import { declaredFiles, expandIncludes, includeOf } from "../../src/migrations/sql-files.ts";

/** The database as sql/ says, without the rules of the building: what the project's own tests need. */
export async function sqlWithoutHouse(): Promise<string> {
  const files = await declaredFiles();
  const included = files.filter((file) => !file.startsWith("house/")).map(includeOf);
  return expandIncludes(included.join("\n"));
}
