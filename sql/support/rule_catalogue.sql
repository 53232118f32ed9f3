/* The rules as the service shows them: every commented constraint, index, trigger and policy. */
create or replace view private.rules as
  with objects as (
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
           c.conkey as column_numbers,
           null::text as refusal
      from pg_catalog.pg_constraint c
     where c.contype in ('c', 'f', 'n', 'p', 'u', 'x')
    union all
    select i.relname, x.indrelid, 'pg_class'::regclass, i.oid, 'unique index',
           array['insert', 'update'],
           array(
             select d.refobjsubid::smallint
               from pg_catalog.pg_depend d
              where d.classid = 'pg_class'::regclass
                and d.objid = i.oid
                and d.refclassid = 'pg_class'::regclass
                and d.refobjid = x.indrelid
           ),
           null
      from pg_catalog.pg_index x
      join pg_catalog.pg_class i on i.oid = x.indexrelid
     where x.indisunique
    union all
    select t.tgname, t.tgrelid, 'pg_trigger'::regclass, t.oid, 'trigger',
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
           case
             when t.tgtype & 16 = 0 or cardinality(t.tgattr::smallint[]) > 0 then array(
               select d.refobjsubid::smallint
                 from pg_catalog.pg_depend d
                where d.classid = 'pg_trigger'::regclass
                  and d.objid = t.oid
                  and d.refclassid = 'pg_class'::regclass
                  and d.refobjid = t.tgrelid
                  and d.refobjsubid > 0
             )
           end,
           encode(t.tgargs, 'escape')
      from pg_catalog.pg_trigger t
     where not t.tgisinternal
    union all
    select p.polname, p.polrelid, 'pg_policy'::regclass, p.oid, 'policy',
           case p.polcmd
             when 'a' then array['insert']
             when 'w' then array['update']
             when 'd' then array['delete']
             when 'r' then array['select']
             else array['select', 'insert', 'update', 'delete']
           end,
           null,
           null
      from pg_catalog.pg_policy p
  ),
  commented as (
    select o.*,
           t.relname,
           d.description,
           -- Tags are the first lines. A status that is no refusal's is no status.
           substring(d.description from '^(?:@\w+ [^\n]*\n)*@status (4\d\d)(?:\n|$)')::integer as tagged
      from objects o
      join pg_catalog.pg_class t on t.oid = o.table_id
      join pg_catalog.pg_description d
        on d.classoid = o.catalogue and d.objoid = o.oid and d.objsubid = 0
     where t.relnamespace in ('parking'::regnamespace, 'private'::regnamespace)
  )
  select c.name::text,
         c.relname::text as "table",
         c.kind,
         coalesce(
           c.tagged,
           case
             when c.kind in ('primary key', 'unique', 'unique index', 'exclusion') then 409
             when c.kind = 'policy' or c.refusal like '42501%' then 403
             else 400
           end
         ) as status,
         substring(c.description from '^(?:@\w+ [^\n]*\n)*@field (\w+)(?:\n|$)') as field,
         nullif(regexp_replace(c.description, '^(?:@\w+ [^\n]*(?:\n|$))+', ''), '') as message,
         c.verbs,
         -- Of a generated column, those that it is made from.
         nullif(
           array(
             select distinct coalesce(source.attname, a.attname)::text
               from unnest(c.column_numbers) as n (attnum)
               join pg_catalog.pg_attribute a on a.attrelid = c.table_id and a.attnum = n.attnum
               left join pg_catalog.pg_attrdef g
                 on a.attgenerated <> '' and g.adrelid = a.attrelid and g.adnum = a.attnum
               left join pg_catalog.pg_depend d
                 on d.classid = 'pg_attrdef'::regclass
                and d.objid = g.oid
                and d.refclassid = 'pg_class'::regclass
                and d.refobjid = a.attrelid
                and d.refobjsubid <> a.attnum
               left join pg_catalog.pg_attribute source
                 on source.attrelid = d.refobjid and source.attnum = d.refobjsubid
              order by 1
           ),
           '{}'
         ) as columns
    from commented c;

comment on view private.rules is
  'The rule catalogue: each rule''s name and the message, status and field that its comment gives (first lines @status 400, @field start_time; the rest is the message). Without @status a duplicate is 409, a policy and a trigger with the argument 42501 are 403, all else is 400.';
comment on column private.rules.name is
  'The name of the rule: of its constraint, index, trigger or policy.';
comment on column private.rules."table" is
  'The table it is about.';
comment on column private.rules.kind is
  'What holds it: check, not null, foreign key, primary key, unique, unique index, exclusion, trigger or policy.';
comment on column private.rules.status is
  'The HTTP status of a refusal.';
comment on column private.rules.field is
  'The field of the request that it is about, if it is about one.';
comment on column private.rules.message is
  'What the caller reads; null where the comment has tags only.';
comment on column private.rules.verbs is
  'The statements that can break it: insert, update, delete; a policy may also limit select.';
comment on column private.rules.columns is
  'The columns that it looks at: an update that writes none of them cannot break it. Null where any write can.';
grant select on private.rules to parking_api;
