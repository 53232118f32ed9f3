import { createHash } from "node:crypto";
import type { Person } from "./people.ts";

/** Whom a token can be about. */
export interface Account {
  readonly id: string;
  readonly email: string;
}

export interface Accounts {
  find(id: string): Account | undefined;
  /** The account with this address, a new one if there was none; undefined for no proper address. */
  withEmail(address: string): Account | undefined;
}

const LONGEST_EMAIL = 320;

/** One @ between two parts free of spaces, control and format characters and lone surrogates. */
const EMAIL = /^[^@\s\p{Cc}\p{Cf}\p{Cs}]+@[^@\s\p{Cc}\p{Cf}\p{Cs}]+$/u;

/**
 * The demo people, and whoever signs in with an address of their own. These are forgotten with the
 * process, like the sessions that name them; their ids come back, since the address makes them.
 */
export function createAccounts(people: readonly Person[]): Accounts {
  const known = new Map<string, Account>(people.map((person) => [person.id, person]));
  return {
    find: (id) => known.get(id),
    withEmail(address) {
      const email = address.trim().toLowerCase();
      if (email.length > LONGEST_EMAIL || !EMAIL.test(email)) return undefined;
      const account = people.find((person) => person.email === email) ?? newAccount(email);
      known.set(account.id, account);
      return account;
    },
  };
}

const newAccount = (email: string): Account => ({ id: uuidOf(email), email });

/** A UUID of version 8, made from a hash: the same name always has the same one (RFC 9562, 5.8). */
function uuidOf(name: string): string {
  const bytes = createHash("sha256").update(name).digest();
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex", 0, 16);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
