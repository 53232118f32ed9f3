import { randomInt } from "node:crypto";
import type { Pool } from "pg";
import { hashOf } from "./adapter.ts";
import type { Secret } from "./secret.ts";

/** Somebody who asks for a code or types one. */
export interface Asking {
  /** The id of the sign-in, which only this browser has. */
  readonly interaction: string;
  /** The network of the browser, as limits count it. */
  readonly network: string;
  /** The name of a browser in which this address was signed in before. */
  readonly device: string | undefined;
}

/** How an attempt ended: the person, or the seconds to wait, or a code that is wrong or has ended. */
export type Tried =
  | { readonly accountId: string; readonly address: string }
  | { readonly waitSeconds: number }
  | "wrong"
  | "ended";

export interface Codes {
  /** A new code for an address; or for how many seconds there is none. */
  request(asking: Asking, address: string): Promise<{ code: string } | { waitSeconds: number }>;
  try(asking: Asking, code: string): Promise<Tried>;
  /** The address to which the code of a sign-in went. */
  addressOf(interaction: string): Promise<string | undefined>;
  /** Forgets the code. */
  drop(interaction: string): Promise<void>;
}

interface TriedRow {
  readonly account_id: string | null;
  readonly address: string | null;
  readonly wait: number | null;
}

export function createCodes(pool: Pool, secret: Secret): Codes {
  const hashed = (interaction: string, code: string) => secret.sign("code", interaction, code);
  return {
    async request({ interaction, network, device }, address) {
      const code = String(randomInt(1_000_000)).padStart(6, "0");
      const { rows } = await pool.query<{ wait: number }>(
        "select identity.request_code($1, $2, $3, $4, $5) as wait",
        [hashOf(interaction), address, hashed(interaction, code), network, device],
      );
      const waitSeconds = rows[0]?.wait ?? 0;
      return waitSeconds > 0 ? { waitSeconds } : { code };
    },
    async try({ interaction, network, device }, code) {
      const { rows } = await pool.query<TriedRow>(
        "select * from identity.try_code($1, $2, $3, $4)",
        [hashOf(interaction), hashed(interaction, code), network, device],
      );
      const { account_id: accountId, address, wait } = rows[0] ?? {};
      if (!address) return "ended";
      if (accountId) return { accountId, address };
      return wait ? { waitSeconds: wait } : "wrong";
    },
    async addressOf(interaction) {
      const { rows } = await pool.query<{ address: string | null }>(
        "select identity.pending_address($1) as address",
        [hashOf(interaction)],
      );
      return rows[0]?.address ?? undefined;
    },
    async drop(interaction) {
      await pool.query("select identity.drop_code($1)", [hashOf(interaction)]);
    },
  };
}
