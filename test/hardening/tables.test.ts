import { describeChecks, isOfExtension, ours } from "./check.ts";

/** Columns without a check of their own, and why they need none. */
const UNCHECKED = {
  "parking.patterns.time_zone": "one function writes it, from the building's",
  "parking.building.time_zone": "the trigger building_time_zone_is_known",
  "parking.wishes.asked_in": "its default writes it, a snapshot of the database",
  "parking.invitations.address": "made of email, which has a check",
  "parking.profiles.email": "a foreign key to private.users.email, which has a check",
  "parking.notifications.message": "triggers write it, from texts that have checks",
  "private.users.subject": "the owner of the database writes it",
  "private.address_changes.reason": "its default is the reason of an event, which has a check",
  "identity.expected_administrator.address": "the owner of the database writes it",
  "private.rate_limits.key": "one function writes it, from a name of a window and a subject",
};

describeChecks("a foreign key", [
  {
    title: "has an index on the referencing columns",
    offenders: `
      select k.conname as name
        from pg_constraint k
       where k.contype = 'f'
         and not exists (
           select from pg_index x
            where x.indrelid = k.conrelid
              and x.indkey[0] = k.conkey[1]
              and x.indpred is null
              and x.indisvalid
         )`,
    breaks: {
      "alter table parking.notifications add constraint of_a_spot foreign key (spot_id) references parking.spots":
        "of_a_spot",
      "drop index parking.spots_owner_id_spot_number_idx": "spots_belong_to_a_resident",
    },
  },
]);

describeChecks("the foreign keys of a table", [
  {
    title:
      "are made in the order of their names, as pg_restore makes them: the first refuses first",
    offenders: `
      select distinct k.conname as name
        from pg_constraint k
        join pg_constraint l on l.conrelid = k.conrelid and l.conname < k.conname and l.oid > k.oid
       where k.contype = 'f'
         and l.contype = 'f'`,
    breaks: {
      "create table parking.pets (a uuid constraint b references parking.spots, b uuid constraint a references parking.spots)":
        "b",
    },
  },
]);

describeChecks("a table", [
  {
    title: "has what logical replication needs: a primary key, or all columns in its place",
    offenders: `
      select c.oid::regclass::text as name
        from pg_class c
        join pg_namespace n on n.oid = c.relnamespace
       where ${ours}
         and c.relkind = 'r'
         and c.relreplident <> 'f'
         and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'p')`,
    breaks: { "create table parking.pets ()": "parking.pets" },
  },
]);

describeChecks("a column", [
  {
    title: "that is a text, or that the API role may write, is bounded by a check",
    offenders: `
      select c.oid::regclass || '.' || a.attname as name
        from pg_attribute a
        join pg_class c on c.oid = a.attrelid
        join pg_namespace n on n.oid = c.relnamespace
        join pg_type t on t.oid = a.atttypid
       where ${ours}
         and c.relkind in ('r', 'p')
         and a.attnum > 0
         and not a.attisdropped
         and (
           t.typcategory = 'S'
           or t.typname not in ('uuid', 'bool')
              and has_column_privilege('parking_api', c.oid, a.attnum, 'insert, update')
         )
         and not exists (
           select from pg_constraint k
            where k.conrelid = c.oid and k.contype = 'c' and a.attnum = any (k.conkey)
         )
         and c.oid::regclass || '.' || a.attname not in ('${Object.keys(UNCHECKED).join("', '")}')`,
    breaks: {
      "alter table parking.spots add pet text": "parking.spots.pet",
      "alter table private.users add pet varchar(8)": "private.users.pet",
      "alter table parking.spots add legs integer; grant update (legs) on parking.spots to parking_api":
        "parking.spots.legs",
      "alter table parking.profiles drop constraint profiles_full_name_is_one_line":
        "parking.profiles.full_name",
    },
  },
  {
    title: "that is a range has checks: its own, or those of the columns that it is made from",
    offenders: `
      select c.oid::regclass || '.' || a.attname as name
        from pg_attribute a
        join pg_class c on c.oid = a.attrelid
        join pg_namespace n on n.oid = c.relnamespace
        join pg_type t on t.oid = a.atttypid
        left join pg_attrdef g on a.attgenerated <> '' and (g.adrelid, g.adnum) = (c.oid, a.attnum)
       cross join lateral (
         select array_agg(d.refobjsubid::smallint) as columns
           from pg_depend d
          where d.classid = 'pg_attrdef'::regclass
            and d.objid = g.oid
            and d.refobjid = c.oid
            and d.refobjsubid <> a.attnum
            and d.refobjsubid > 0
       ) source
       where ${ours}
         and c.relkind in ('r', 'p')
         and t.typcategory = 'R'
         and not a.attisdropped
         and exists (
           select from unnest(coalesce(source.columns, array[a.attnum])) needed
            where not exists (
              select from pg_constraint k
               where k.conrelid = c.oid and k.contype = 'c' and needed = any (k.conkey)
            )
         )`,
    breaks: {
      "alter table parking.spots add walked tstzrange": "parking.spots.walked",
      "alter table parking.claims drop constraint claims_start_before_end, drop constraint claims_times_are_calendar_dates":
        "parking.claims.held",
    },
  },
]);

describeChecks("a comment", [
  {
    title: "is on every schema, table, view, column and function that is called",
    offenders: `
      select 'schema ' || n.nspname as name
        from pg_namespace n
       where ${ours} and n.nspname <> 'public' and obj_description(n.oid, 'pg_namespace') is null
      union all
      select c.oid::regclass::text
        from pg_class c
        join pg_namespace n on n.oid = c.relnamespace
       where ${ours}
         and c.relkind in ('r', 'p', 'v', 'm', 'f')
         and obj_description(c.oid, 'pg_class') is null
      union all
      select c.oid::regclass || '.' || a.attname
        from pg_attribute a
        join pg_class c on c.oid = a.attrelid
        join pg_namespace n on n.oid = c.relnamespace
       where ${ours}
         and c.relkind in ('r', 'p', 'v', 'm', 'f')
         and a.attnum > 0
         and not a.attisdropped
         -- The comment of an inherited column stands at the table that has it first.
         and a.attinhcount = 0
         and col_description(c.oid, a.attnum) is null
      union all
      select p.oid::regprocedure::text
        from pg_proc p
        join pg_namespace n on n.oid = p.pronamespace
       where ${ours} and not ${isOfExtension}
         and p.prorettype <> 'trigger'::regtype -- its triggers say what it does
         and obj_description(p.oid, 'pg_proc') is null`,
    breaks: {
      "create schema pets": "schema pets",
      "create table parking.pets ()": "parking.pets",
      "alter table parking.spots add pet text": "parking.spots.pet",
      "create function api.feed() returns void language sql return null": "api.feed()",
    },
  },
]);
