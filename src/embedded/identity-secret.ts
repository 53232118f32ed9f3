import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { longSecret } from "../config/formats.ts";
import { withClient } from "../database/client.ts";
import { OperatorError } from "../errors/operator-error.ts";
import { reasonOf } from "../errors/reason.ts";

/**
 * The secret of the sign-in by mail where no setting has it: a file beside the database, made at the
 * first start. A backup lacks it, so that nobody signs tokens with a stolen backup. A new one opens
 * no key of the database, so these go first, and the service makes another.
 */
export async function identitySecretIn(dataDir: string, ownerUrl: string): Promise<string> {
  const file = join(dataDir, "identity-secret");
  if (!existsSync(file)) {
    await withClient(ownerUrl, (owner) => owner.query("delete from identity.keys"));
    const made = randomBytes(32).toString("base64url");
    await writeFile(`${file}.new`, made, { mode: 0o600, flush: true });
    await rename(`${file}.new`, file);
  }
  try {
    return longSecret.read((await readFile(file, "utf8")).trim());
  } catch (cause) {
    throw new OperatorError(`DATA_DIR: ${file} ${reasonOf(cause)}`, { cause });
  }
}
