/** Somebody in the demo building. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly fullName: string;
  readonly apartmentNumber: string;
  readonly account: "administrator" | "resident" | "waiting for approval";
}

const person = (
  number: number,
  fullName: string,
  apartmentNumber: string,
  account: Person["account"],
): Person => ({
  // Easy to recognise in logs and tables; version 8 is for ids made by a custom rule.
  id: `de300000-0000-8000-8000-${String(number).padStart(12, "0")}`,
  email: `${fullName.split(" ")[0]?.toLowerCase()}@demo.example`,
  fullName,
  apartmentNumber,
  account,
});

export const people = {
  ada: person(1, "Ada Okafor", "1A", "administrator"),
  maria: person(2, "Maria Silva", "2B", "resident"),
  omar: person(3, "Omar Haddad", "3C", "resident"),
  lena: person(4, "Lena Fischer", "4D", "resident"),
  noah: person(5, "Noah Kim", "5E", "waiting for approval"),
} as const satisfies Record<string, Person>;
