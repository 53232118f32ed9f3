import { several } from "../concurrency/rivals.ts";
import type { Arena } from "../support/arena.ts";
import type { Person } from "../support/person.ts";
import type { Size } from "./plan.ts";

/** Somebody who acts. */
export interface Actor extends Person {
  readonly isAdministrator: boolean;
}

/** The people of a plan, in its order: owners, other residents, administrators. */
export interface Cast {
  readonly people: readonly Actor[];
  readonly owners: readonly Actor[];
  /** Those whose approval administrators withdraw now and then: an owner, and two others. */
  readonly suspects: readonly string[];
}

export async function castOf(
  { resident, administrator }: Arena,
  { owners, residents, administrators }: Size,
): Promise<Cast> {
  const people = [
    ...(await several(owners + residents, () => actorOf(resident(), false))),
    ...(await several(administrators, () => actorOf(administrator(), true))),
  ];
  return {
    people,
    owners: people.slice(0, owners),
    suspects: people.slice(owners - 1, owners + 2).map(({ id }) => id),
  };
}

const actorOf = async (person: Promise<Person>, isAdministrator: boolean): Promise<Actor> => ({
  ...(await person),
  isAdministrator,
});
