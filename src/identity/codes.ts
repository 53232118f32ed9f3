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
  /** Whether this address was signed in before in the browser. */
  readonly isKnown: boolean;
}

/** How an attempt ended: the person, or the seconds to wait, or a code that is wrong or has ended. */
export type Tried =
  | { readonly accountId: string; readonly address: string }
  | { readonly waitSeconds: number }
  /** An administrator gave the address, and it signs in later. */
  | { readonly opensInSeconds: number }
  | "wrong"
  | "ended";

/** A code, and whose it is. */
interface TypedCode {
  readonly interaction: string;
  readonly code: string;
}

export interface AddressChange {
  readonly accountId: string;
  readonly network: string;
  readonly old: TypedCode;
  readonly new: TypedCode;
  readonly kept: readonly Buffer[];
}

export interface Changed {
  readonly outcome: "changed" | "wrong" | "ended" | "taken" | "wait";
  /** In seconds. */
  readonly wait: number | null;
}

export interface Codes {
  /** A new code for an address; or for how many seconds there is none. */
  request(asking: Asking, address: string): Promise<{ code: string } | { waitSeconds: number }>;
  try(asking: Asking, code: string): Promise<Tried>;
  /** Changes the address of an account, where the codes from both mailboxes are right. */
  change(change: AddressChange): Promise<Changed>;
  /** The address to which the code of a sign-in went. */
  addressOf(interaction: string): Promise<string | undefined>;
  /** Forgets the code. */
  drop(interaction: string): Promise<void>;
}

interface TriedRow {
  readonly account_id: string | null;
  readonly address: string | null;
  readonly wait: number | null;
  readonly opens_in: number | null;
}

export function createCodes(pool: Pool, secret: Secret): Codes {
  const hashed = (interaction: string, code: string) => secret.sign("code", interaction, code);
  return {
    async request({ interaction, network, isKnown }, address) {
      const code = String(randomInt(1_000_000)).padStart(6, "0");
      const { rows } = await pool.query<{ wait: number }>(
        "select identity.request_code($1, $2, $3, $4, $5) as wait",
        [hashOf(interaction), address, hashed(interaction, code), network, isKnown],
      );
      const waitSeconds = rows[0]?.wait ?? 0;
      return waitSeconds > 0 ? { waitSeconds } : { code };
    },
    async try({ interaction, network, isKnown }, code) {
      const { rows } = await pool.query<TriedRow>(
        "select * from identity.try_code($1, $2, $3, $4)",
        [hashOf(interaction), hashed(interaction, code), network, isKnown],
      );
      const { account_id: accountId, address, wait, opens_in: opensInSeconds } = rows[0] ?? {};
      if (!address) return "ended";
      if (accountId) return { accountId, address };
      if (opensInSeconds) return { opensInSeconds };
      return wait ? { waitSeconds: wait } : "wrong";
    },
    async change(change) {
      const { accountId, network, kept } = change;
      const codes = [change.old, change.new].flatMap(({ interaction, code }) => [
        hashOf(interaction),
        hashed(interaction, code),
      ]);
      const { rows } = await pool.query<Changed>(
        "select * from identity.change_address($1, $2, $3, $4, $5, $6, $7)",
        [accountId, ...codes, network, kept],
      );
      return rows[0] ?? { outcome: "ended", wait: null };
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
