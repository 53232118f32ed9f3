import { type Building, type Claim, hours, type Window } from "../support/building.ts";
import type { Person } from "../support/person.ts";

/** Claims a part of a window, from and to these hours from now. */
export const claim = (person: Person, { id }: Pick<Window, "id">, from: number, to: number) =>
  person.post<{ claim: Claim }>("/claims", {
    availability_id: id,
    start_time: hours(from),
    end_time: hours(to),
  });

/** The claims on a window, oldest first. */
export const claimsOn = (building: Building, { id }: Window) =>
  building.rows(
    `select claimer_id, start_time, end_time, status
       from parking.claims
      where availability_id = $1
      order by id`,
    [id],
  );
