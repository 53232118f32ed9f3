import { describeChecks, ours } from "./check.ts";

/** What names a thing, where an id of its own is made for it. Any other uuid may name a person. */
const THINGS = [
  ...["id", "availability_id", "claim_id", "event_id", "location_id"],
  ...["pattern_id", "spot_id", "subject_id", "webhook_id", "window_id"],
];

const quoted = (texts: readonly string[]): string => texts.map((it) => `'${it}'`).join();

describeChecks("a table", [
  {
    title: "that names a person is in the person's export (sql/export/exports.sql)",
    offenders: `
      with recursive read (relation) as (
        select 'private.exports'::regclass::oid
        union
        select d.refobjid
          from read
          join pg_rewrite r on r.ev_class = read.relation
          join pg_depend d on (d.classid, d.objid) = ('pg_rewrite'::regclass, r.oid)
         where d.refclassid = 'pg_class'::regclass
      )
      select distinct c.oid::regclass || '.' || a.attname as name
        from pg_attribute a
        join pg_class c on c.oid = a.attrelid
        join pg_namespace n on n.oid = c.relnamespace
       where ${ours}
         and c.relkind in ('r', 'p')
         and a.attnum > 0
         and not a.attisdropped
         and (
           a.atttypid in ('uuid'::regtype, 'uuid[]'::regtype) and a.attname not in (${quoted(THINGS)})
           or a.attname = 'id' and a.atttypid = 'uuid'::regtype and not a.atthasdef
           or a.attname = 'email'
           or exists (
             select from pg_constraint k
              where k.conrelid = c.oid
                and k.contype = 'f'
                and k.confrelid in ('parking.profiles'::regclass, 'private.users'::regclass)
                and a.attnum = any (k.conkey)
           )
         )
         and c.oid not in (select relation from read)
         -- A reader of a table reads those that inherit from it.
         and not exists (select from pg_inherits h where h.inhrelid = c.oid)`,
    breaks: {
      "create table parking.pets (keeper uuid)": "parking.pets.keeper",
      "create table private.pets (id uuid references private.users)": "private.pets.id",
      "create table private.pets (email text)": "private.pets.email",
    },
  },
]);
