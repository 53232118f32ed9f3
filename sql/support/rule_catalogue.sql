create or replace view private.rules
  with (security_invoker)
as
  with tables as materialized (
    select t.oid, t.relname, false as is_domain
      from pg_catalog.pg_class t
     where t.relnamespace in ('parking'::regnamespace, 'private'::regnamespace)
    union all
    select d.oid, d.typname, true
      from pg_catalog.pg_type d
     where d.typtype = 'd'
       and d.typnamespace in ('parking'::regnamespace, 'private'::regnamespace)
  ),
  objects as (
    select c.conname as name, c.conrelid as table_id, 'pg_constraint'::regclass as catalogue, c.oid,
           case c.contype
             when 'c' then 'check'
             when 'f' then 'foreign key'
             when 'n' then 'not null'
             when 'p' then 'primary key'
             when 'u' then 'unique'
             when 'x' then 'exclusion'
           end as kind,
           array['insert', 'update'] as verbs,
           false as looks_at_any_column,
           null::text as arguments
      from pg_catalog.pg_constraint c
     where c.contype in ('c', 'f', 'n', 'p', 'u', 'x')
       and c.conrelid <> 0
    union all
    select c.conname, c.contypid, 'pg_constraint'::regclass, c.oid, 'domain' as kind,
           array['select'], true, null as arguments
      from pg_catalog.pg_constraint c
     where c.contypid <> 0
    union all
    select i.relname, x.indrelid, 'pg_class'::regclass, i.oid, 'unique index' as kind,
           array['insert', 'update'], false, null as arguments
      from pg_catalog.pg_index x
      join pg_catalog.pg_class i on i.oid = x.indexrelid
     where x.indisunique
    union all
    select t.tgname, t.tgrelid, 'pg_trigger'::regclass, t.oid, 'trigger' as kind,
           -- The bits of tgtype: pg_catalog/pg_trigger.h.
           array_remove(
             array[
               case when t.tgtype & 4 > 0 then 'insert' end,
               case when t.tgtype & 16 > 0 then 'update' end,
               case when t.tgtype & 8 > 0 then 'delete' end
             ],
             null
           ),
           -- A trigger on any update may refuse whatever column is written.
           t.tgtype & 16 > 0 and cardinality(t.tgattr::smallint[]) = 0,
           encode(t.tgargs, 'escape')
      from pg_catalog.pg_trigger t
     where not t.tgisinternal
    union all
    select p.polname, p.polrelid, 'pg_policy'::regclass, p.oid, 'policy' as kind,
           case p.polcmd
             when 'a' then array['insert']
             when 'w' then array['update']
             when 'd' then array['delete']
             when 'r' then array['select']
             else array['select', 'insert', 'update', 'delete']
           end,
           true,
           null as arguments
      from pg_catalog.pg_policy p
  ),
  commented as materialized (
    select o.*,
           t.relname,
           w.description,
           -- Tags are the first lines. A status that is no refusal's is no status.
           substring(w.description from '^(?:@\w+ [^\n]*\n)*@status (4\d\d)(?:\n|$)')::integer as tagged
      from objects o
      join tables t on t.oid = o.table_id and t.is_domain = (o.kind = 'domain')
      join pg_catalog.pg_description d
        on d.classoid = o.catalogue and d.objoid = o.oid and d.objsubid = 0
     cross join lateral (select replace(d.description, E'\r', '') as description) w -- of a file from Windows
  )
  select c.name::text,
         c.relname::text as "table",
         c.kind,
         coalesce(
           c.tagged,
           case
             when c.kind in ('primary key', 'unique', 'unique index', 'exclusion') then 409
             when c.kind = 'policy' or c.arguments like '42501%' then 403
             else 400
           end
         ) as status,
         substring(c.description from '^(?:@\w+ [^\n]*\n)*@field (\w+)(?:\n|$)') as field,
         nullif(regexp_replace(c.description, '^(?:@\w+ [^\n]*(?:\n|$))+', ''), '') as message,
         c.verbs,
         case when not c.looks_at_any_column then (
           -- For a generated column, the columns that it is made from.
           select array_agg(distinct coalesce(source.attname, a.attname)::text)
             from pg_catalog.pg_depend d
             join pg_catalog.pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
             left join pg_catalog.pg_attrdef g
               on a.attgenerated <> '' and g.adrelid = a.attrelid and g.adnum = a.attnum
             left join pg_catalog.pg_depend made
               on made.classid = 'pg_attrdef'::regclass
              and made.objid = g.oid
              and made.refclassid = 'pg_class'::regclass
              and made.refobjid = a.attrelid
              and made.refobjsubid <> a.attnum
             left join pg_catalog.pg_attribute source
               on source.attrelid = made.refobjid and source.attnum = made.refobjsubid
            where d.classid = c.catalogue
              and d.objid = c.oid
              and d.refclassid = 'pg_class'::regclass
              and d.refobjid = c.table_id
              and d.refobjsubid > 0
         ) end as columns,
         (
           select coalesce(jsonb_object_agg(t.found[1], t.found[2]), '{}')
             from regexp_matches(
               substring(c.description from '^(?:@\w+ [^\n]*\n)*'), '^@([a-z]{2}) ([^\n]*)\n', 'gn'
             ) t (found)
         ) as translations
    from commented c;

comment on view private.rules is
  'The rule catalogue: each rule''s name and the message, status and field that its comment gives (first lines @status 400, @field start_time, @de Das Ende …; the rest is the message). Without @status a duplicate is 409, a policy and a trigger with the argument 42501 are 403, all else is 400.';
comment on column private.rules.name is
  'The name of the rule: of its constraint, index, trigger or policy.';
comment on column private.rules."table" is
  'The table it is about, or the domain.';
comment on column private.rules.kind is
  'What holds it: check, not null, foreign key, primary key, unique, unique index, exclusion, domain, trigger or policy.';
comment on column private.rules.status is
  'The HTTP status of a refusal.';
comment on column private.rules.field is
  'The field of the request that it is about, if it is about one.';
comment on column private.rules.message is
  'What the caller reads; null where the comment has tags only.';
comment on column private.rules.translations is
  'The message in other languages: {"de": "…"}.';
comment on column private.rules.verbs is
  'The statements that can break it: insert, update, delete; a policy may also limit select.';
comment on column private.rules.columns is
  'The columns that it looks at: an update that writes none of them cannot break it. Null where any write can.';
grant select on private.rules to parking_api;

/* All of them at once, because the catalogue reads a great many objects for one of them, too. */
create or replace function private.rule_messages(tables text[], language text)
  returns jsonb
  language sql
  stable
return (
  select jsonb_object_agg(r.name, coalesce(r.translations ->> rule_messages.language, r.message))
    from private.rules r
   where r."table" = any (rule_messages.tables)
);

comment on function private.rule_messages is
  'The messages of the rules of these tables in a language, by the names of the rules.';
grant execute on function private.rule_messages to parking_api;

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
