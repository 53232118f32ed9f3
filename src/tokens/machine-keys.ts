import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Pool } from "pg";
import { callAs, runAlone } from "../database/transaction.ts";
import { reasonOf } from "../errors/reason.ts";
import type { Logger } from "../log/logger.ts";
import type { Identity } from "./identity.ts";

/** As sql/keys/create_key.sql makes it. No JWT begins so: one has two dots. */
const SECRET = /^bearer +(parking_[\w-]{43})$/i;

/** How long a key that was withdrawn may still be known to a process. Its scopes end at once. */
const MEMORY_MS = 5_000;
/** There are twenty keys (sql/keys/rules/keys_twenty_at_most.sql). */
const MOST_REMEMBERED = 20;

export interface MachineKeys {
  /** The key with this hash of its secret; undefined where there is none. */
  identify(secretHash: string): Promise<Identity | undefined>;
}

/** The secret of a key in an Authorization header, where there is one. */
export const keySecretIn = (authorization = ""): string | undefined =>
  SECRET.exec(authorization)?.[1];

/** The hash of that secret. */
export function keyHashIn(authorization: string | undefined): string | undefined {
  const secret = keySecretIn(authorization);
  return secret === undefined ? undefined : hash("sha256", secret, "hex");
}

/** Finds keys by the hash of their secret, and notes in the background that they are used. */
export function machineKeys(pool: Pool, logger: Logger, memoryMs = MEMORY_MS): MachineKeys {
  const known = new LRUCache<string, Identity>({ max: MOST_REMEMBERED, ttl: memoryMs });

  function note(identity: Identity): void {
    const call = { readOnly: false, mostlyReads: true, steps: [noteKey] };
    callAs(pool, JSON.stringify(identity), call, { row: identity.key ?? "" }).catch((error) =>
      logger.warn({ reason: reasonOf(error) }, "the use of a key was not noted"),
    );
  }

  return {
    async identify(secretHash) {
      const remembered = known.get(secretHash);
      if (remembered) return remembered;
      const [[id, isNoted] = []] = await runAlone(pool, identifyKey(secretHash));
      if (id == null) return undefined;
      const identity = Object.freeze({ key: id });
      known.set(secretHash, identity);
      if (isNoted === "f") note(identity);
      return identity;
    },
  };
}

const identifyKey = (secretHash: string) => ({
  name: "identify_key",
  text: "select id, is_noted from private.identify_key($1)",
  values: [`\\x${secretHash}`],
});

const noteKey = { name: "note_key", text: "select private.note_key()", values: [] };
