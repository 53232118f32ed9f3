import { hash } from "node:crypto";
import { isEmail } from "../formats.ts";
import type { Account } from "../identity/configuration.ts";
import { uuidOfDigest } from "../tokens/identity.ts";

/** A person of the demo building. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly fullName: string;
  readonly apartmentNumber: string;
  readonly phoneNumber: string;
  readonly sharesPhoneNumber: boolean;
  readonly account: "administrator" | "resident" | "waiting for approval";
}

const person = (
  number: number,
  fullName: string,
  apartmentNumber: string,
  account: Person["account"],
): Person => ({
  // Easy to recognise in logs and tables. Version 8 is for ids made by a custom rule.
  id: `de300000-0000-8000-8000-${String(number).padStart(12, "0")}`,
  email: `${fullName.split(" ")[0]?.toLowerCase()}@demo.example`,
  fullName,
  apartmentNumber,
  phoneNumber: `+49 30 23125 ${String(number).padStart(3, "0")}`, // reserved for fiction
  sharesPhoneNumber: number % 2 === 0,
  account,
});

export const people = {
  ada: person(1, "Ada Okafor", "1A", "administrator"),
  maria: person(2, "Maria Silva", "2B", "resident"),
  omar: person(3, "Omar Haddad", "3C", "resident"),
  lena: person(4, "Lena Fischer", "4D", "resident"),
  noah: person(5, "Noah Kim", "5E", "waiting for approval"),
  jonas: person(6, "Jonas Weber", "1B", "resident"),
  amara: person(7, "Amara Nwosu", "1C", "resident"),
  mei: person(8, "Mei Tanaka", "2A", "resident"),
  pavel: person(9, "Pavel Novák", "3A", "resident"),
  sofia: person(10, "Sofia Rossi", "3B", "resident"),
  tariq: person(11, "Tariq Aziz", "4A", "resident"),
  ines: person(12, "Ines Laurent", "4B", "resident"),
  greta: person(13, "Greta Lindqvist", "5A", "resident"),
  priya: person(14, "Priya Sharma", "5B", "waiting for approval"),
} as const satisfies Record<string, Person>;

export interface Accounts {
  find(id: string): Account | undefined;
  /** The account with this address, created if necessary; undefined for a malformed address. */
  withEmail(address: string): Account | undefined;
}

/**
 * The demo people, and everybody else who signs in. Other people's accounts end with the process,
 * like their sessions. Their ids stay the same, because an id is made from the address.
 */
export function createAccounts(residents: readonly Person[]): Accounts {
  const known = new Map<string, Account>(residents.map((person) => [person.id, person]));
  return {
    find: (id) => known.get(id),
    withEmail(address) {
      const email = address.trim().toLowerCase();
      if (!isEmail(email)) return undefined;
      const person = residents.find((resident) => resident.email === email);
      const account = person ?? { id: idOf(email), email };
      known.set(account.id, account);
      return account;
    },
  };
}

/** The same address always gives the same id (RFC 9562, 5.8). */
const idOf = (email: string): string => uuidOfDigest(hash("sha256", email, "buffer"), 8);
