import { createHash } from "node:crypto";
import { isEmail } from "../formats.ts";
import type { Person } from "./people.ts";

/** Somebody who can sign in. */
export interface Account {
  readonly id: string;
  readonly email: string;
}

export interface Accounts {
  find(id: string): Account | undefined;
  /** The account with this address, made where there is none; undefined for a malformed address. */
  withEmail(address: string): Account | undefined;
}

/**
 * The demo people, and everybody else who signs in. The accounts of the latter end with the
 * process, as their sessions do, but their ids come back: an id is made from the address.
 */
export function createAccounts(people: readonly Person[]): Accounts {
  const known = new Map<string, Account>(people.map((person) => [person.id, person]));
  return {
    find: (id) => known.get(id),
    withEmail(address) {
      const email = address.trim().toLowerCase();
      if (!isEmail(email)) return undefined;
      const account = people.find((person) => person.email === email) ?? newAccount(email);
      known.set(account.id, account);
      return account;
    },
  };
}

const newAccount = (email: string): Account => ({ id: uuidOf(email), email });

/** A UUID of version 8, made from a hash: the same name always gives the same id (RFC 9562, 5.8). */
function uuidOf(name: string): string {
  const bytes = createHash("sha256").update(name).digest();
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex", 0, 16);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
