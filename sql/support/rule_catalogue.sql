/* The rules as the service tells them: every commented constraint, index, trigger and policy. */
create or replace view private.rules as
  with objects as (
    select c.conname as name, c.conrelid as table_id, 'pg_constraint'::regclass as catalogue, c.oid,
           case c.contype
             when 'c' then 'check'
             when 'f' then 'foreign key'
             when 'p' then 'primary key'
             when 'u' then 'unique'
             when 'x' then 'exclusion'
           end as kind
      from pg_catalog.pg_constraint c
     where c.contype in ('c', 'f', 'p', 'u', 'x')
    union all
    select i.relname, x.indrelid, 'pg_class'::regclass, i.oid, 'unique index'
      from pg_catalog.pg_index x
      join pg_catalog.pg_class i on i.oid = x.indexrelid
     where x.indisunique
    union all
    select t.tgname, t.tgrelid, 'pg_trigger'::regclass, t.oid, 'trigger'
      from pg_catalog.pg_trigger t
     where not t.tgisinternal
    union all
    select p.polname, p.polrelid, 'pg_policy'::regclass, p.oid, 'policy'
      from pg_catalog.pg_policy p
  )
  select o.name::text,
         t.relname::text as "table",
         o.kind,
         -- Tags are the first lines. A status that is no refusal's is no status.
         substring(d.description from '^(?:@\w+ [^\n]*\n)*@status (4\d\d)(?:\n|$)')::integer as status,
         substring(d.description from '^(?:@\w+ [^\n]*\n)*@field (\w+)(?:\n|$)') as field,
         nullif(regexp_replace(d.description, '^(?:@\w+ [^\n]*(?:\n|$))+', ''), '') as message
    from objects o
    join pg_catalog.pg_class t on t.oid = o.table_id
    join pg_catalog.pg_description d
      on d.classoid = o.catalogue and d.objoid = o.oid and d.objsubid = 0
   where t.relnamespace in ('parking'::regnamespace, 'private'::regnamespace);

comment on view private.rules is
  'The rule catalogue: each rule''s name and the message, status and field that its comment gives (first lines @status 400, @field start_time; the rest is the message). A null status follows from the SQLSTATE.';
grant select on private.rules to parking_api;
