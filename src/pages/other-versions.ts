import { extname } from "node:path";
import type { Pool } from "pg";
import { withClient } from "../database/client.ts";
import { runAlone } from "../database/transaction.ts";
import { type Asset, assetOf } from "../http/asset.ts";
import type { Logger } from "../log/logger.ts";
import { currentBuild, filesOf, NO_PAGE } from "./dist.ts";

/**
 * While an old and a new version serve, a browser may ask one for files of the other. A migration
 * stores the files in the database, where each version finds the files of the other.
 */
export async function storePageFiles(
  ownerUrl: string,
  logger: Pick<Logger, "warn">,
): Promise<void> {
  const build = currentBuild();
  // A service without the page needs no build.
  if (!build) return logger.warn({ reason: NO_PAGE }, "the files of the page are not stored");
  const files = filesOf(build);
  await withClient(ownerUrl, (owner) =>
    owner.query("select private.keep_page_files($1, $2)", [[...files.keys()], [...files.values()]]),
  );
}

/**
 * However often somebody asks for a missing file, the database is read at most once in this time,
 * in milliseconds.
 */
const FRESH = 1_000;

/**
 * The files of other versions, by path. While the database does not answer, these are the files
 * that are already known.
 */
export function filesOfOtherVersions(pool: Pool): (path: string) => Promise<Asset | undefined> {
  const known = new Map<string, Asset>();
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> = Promise.resolve();
  const read = async () => {
    const rows = await runAlone(pool, { ...others, values: [`{${[...known.keys()]}}`] });
    for (const [name = "", content] of rows) {
      known.set(name ?? "", assetOf(Buffer.from(content ?? "", "base64"), extname(name ?? "")));
    }
  };
  return async (path) => {
    const name = path.slice(1);
    if (!known.has(name) && performance.now() - readAt > FRESH) {
      readAt = performance.now();
      reading = read().catch(() => {});
    }
    await reading;
    return known.get(name);
  };
}

const others = {
  name: "files_of_other_versions",
  text: "select name, encode(content, 'base64') from private.page_files where name <> all ($1::text[])",
  isShort: true,
} as const;
