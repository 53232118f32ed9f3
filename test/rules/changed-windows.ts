import type { Building } from "../support/building.ts";
import type { Person } from "../support/person.ts";

/** The log says of so many windows of the person that they were withdrawn, today or on an earlier day. */
export const changedWindows = (building: Building, { id }: Person, number: number, daysAgo = 0) =>
  building.rows(
    `insert into private.events (type, subject_id, actor_id, data, occurred_at)
     select 'availability.deleted', uuidv7(), $1, '{}', now() - make_interval(days => $3::integer)
       from generate_series(1, $2::integer)`,
    [id, number, daysAgo],
  );
