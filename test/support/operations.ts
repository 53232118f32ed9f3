import { type Building, type Holding, hours } from "./building.ts";

/** A function of schema api. */
export interface Operation {
  readonly name: string;
  readonly volatile: boolean;
  readonly names: readonly string[];
  readonly types: readonly string[];
}

export const operationsOf = (building: Building): Promise<Operation[]> =>
  building.rows<Operation>(
    `select p.proname as name,
            p.provolatile = 'v' as volatile,
            coalesce(p.proargnames[1:p.pronargs], '{}') as names,
            array(select format_type(t, null) from unnest(p.proargtypes) t) as types
       from pg_proc p
      where p.pronamespace = 'api'::regnamespace
      order by 1`,
  );

/** What a function is called with, by the names of its arguments. */
function literalOf({ claim, spot, window, claimer }: Holding, name: string, type: string): string {
  const values: Readonly<Record<string, string>> = {
    spot_id: spot.id,
    availability_id: window.id,
    claim_id: claim.id,
    profile_id: claimer.id,
    building_section: spot.building_section,
    section: spot.building_section,
    search: "1A",
    from: "2029-11-01",
    until: "2029-11-02",
    step: "day",
    vehicle: "B-AB 1",
    direction: "in",
    at: hours(1),
    start_time: hours(1),
    end_time: hours(2),
    reason: "x",
  };
  const value = values[name];
  return value === undefined ? `null::${type}` : `'${value}'::${type}`;
}

/** Calls of a function; of one that takes an id, with that of each thing. */
export function callsOf({ name, names, types }: Operation, held: Holding): readonly string[] {
  const { claim, spot, window, claimer } = held;
  const ids = names.includes("id") ? [claim.id, spot.id, window.id, claimer.id] : [""];
  return ids.map((id) => {
    const values = names.map((it, place) => {
      const type = types[place] ?? "text";
      return `"${it}" => ${it === "id" ? `'${id}'::${type}` : literalOf(held, it, type)}`;
    });
    return `select r::text from api.${name}(${values.join(", ")}) r`;
  });
}

/** All tables and views of the building, each with a column that the API role may change or read, if any. */
export const tablesOf = (building: Building) =>
  building.rows<{ name: string; column: string }>(
    `select c.oid::regclass::text as name,
            (
              select quote_ident(a.attname)
                from pg_attribute a
               where a.attrelid = c.oid
                 and a.attnum > 0
                 and not a.attisdropped
               order by has_column_privilege('parking_api', c.oid, a.attnum, 'update') desc,
                        has_column_privilege('parking_api', c.oid, a.attnum, 'select') desc
               limit 1
            ) as column
       from pg_class c
      where c.relnamespace in ('parking'::regnamespace, 'private'::regnamespace, 'reporting'::regnamespace, 'identity'::regnamespace)
        and c.relkind in ('r', 'v')`,
  );
