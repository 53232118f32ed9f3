/* The message for a row that is not there: the tag @absent in the comment of its table. */
create or replace view private.absences
  with (security_invoker)
as
  select t.relname::text as "table",
         substring(d.description from '^(?:@\w+ [^\n]*\n)*@absent ([^\n]+)') as message
    from pg_catalog.pg_class t
    join pg_catalog.pg_description d
      on d.classoid = 'pg_class'::regclass and d.objoid = t.oid and d.objsubid = 0
   where t.relnamespace = 'parking'::regnamespace
     and d.description ~ '^(?:@\w+ [^\n]*\n)*@absent ';

comment on view private.absences is
  'For each table whose rows clients name by id: the message of a 404.';
comment on column private.absences."table" is
  'The table.';
comment on column private.absences.message is
  'What the caller reads.';
grant select on private.absences to parking_api;
