/*
 * Everything in our schemas, as text that reads like SQL and is the same for the same schema.
 * Columns are sorted by name, because a column that is added later comes last in its table and means
 * the same. Foreign keys come in the order in which they were made, because they act in that order.
 */
with
  namespaces as (
    select n.oid, n.nspname as name, n.nspacl as acl
      from pg_namespace n
     where n.nspname in ('parking', 'api', 'private', 'reporting', 'public')
  ),
  relations as (
    select c.oid, n.name as schema, c.relname as name, format('%I.%I', n.name, c.relname) as full_name,
           c.relkind as kind, c.relacl as acl, c.relowner as owner, c.reloptions as options,
           c.relrowsecurity as row_security, c.relforcerowsecurity as forced
      from pg_class c
      join namespaces n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
  ),
  own_functions as (
    select p.oid, format('%I.%I(%s)', n.name, p.proname, pg_get_function_identity_arguments(p.oid)) as full_name,
           p.proacl as acl, p.proowner as owner
      from pg_proc p
      join namespaces n on n.oid = p.pronamespace
     where not exists (
       select from pg_depend d
        where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
     )
  ),
  columns as (
    select r.full_name, r.kind, a.attrelid, a.attnum, a.attname as name, a.attacl as acl,
           concat_ws(' ',
             format('%I', a.attname),
             format_type(a.atttypid, a.atttypmod),
             case when a.attcollation <> t.typcollation then 'collate ' || a.attcollation::regcollation end,
             case a.attgenerated
               when 's' then format('generated always as (%s) stored', pg_get_expr(d.adbin, d.adrelid))
               when 'v' then format('generated always as (%s) virtual', pg_get_expr(d.adbin, d.adrelid))
               else 'default ' || pg_get_expr(d.adbin, d.adrelid)
             end,
             case when a.attidentity <> '' then 'identity' end,
             case when a.attnotnull then 'not null' end
           ) as definition
      from relations r
      join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
      join pg_type t on t.oid = a.atttypid
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  ),
  grants as (
    select 'schema ' || n.name as target, n.acl, null::text as column_name from namespaces n
    union all
    select r.full_name, coalesce(r.acl, acldefault('r', r.owner)), null from relations r
    union all
    select c.full_name, c.acl, c.name from columns c where c.acl is not null
    union all
    select 'function ' || f.full_name, coalesce(f.acl, acldefault('f', f.owner)), null from own_functions f
  ),
  lines (section, object, part, rank, line) as (
    select 1, e.extname, 0, 0, format('create extension %I schema %I;', e.extname, n.nspname)
      from pg_extension e
      join pg_namespace n on n.oid = e.extnamespace
     where e.extname <> 'plpgsql'
    union all
    select 2, n.name, 0, 0, format('create schema %I;', n.name) from namespaces n
    union all
    select 3, r.full_name, 0, 0, format(
        case r.kind when 'v' then 'create view %s%s as' else 'create table %s%s' end,
        r.full_name, ' with (' || array_to_string(r.options, ', ') || ')')
      from relations r
    union all
    select 3, c.full_name, 1, row_number() over (order by c.name), '  ' || c.definition
      from columns c where c.kind <> 'v'
    union all
    select 3, r.full_name, 1, 0, pg_get_viewdef(r.oid) from relations r where r.kind = 'v'
    union all
    select 3, r.full_name, 2, 0, 'enable row level security' || case when r.forced then ', forced' else '' end
      from relations r where r.row_security
    union all
    select 3, r.full_name, 3,
           row_number() over (order by c.contype, case when c.contype = 'f' then c.oid end, c.conname),
           format('  constraint %I %s', c.conname, pg_get_constraintdef(c.oid))
      from relations r
      join pg_constraint c on c.conrelid = r.oid
     where c.contype not in ('n', 't') -- not null stands with its column, constraint triggers below
    union all
    select 3, r.full_name, 4, row_number() over (order by i.indexrelid::regclass::text), '  ' || pg_get_indexdef(i.indexrelid)
      from relations r
      join pg_index i on i.indrelid = r.oid
     where not exists (select from pg_constraint c where c.conindid = i.indexrelid and c.contype in ('p', 'u', 'x'))
    union all
    select 3, r.full_name, 5, row_number() over (order by t.tgname),
           '  ' || pg_get_triggerdef(t.oid, true) || case t.tgenabled when 'O' then '' else ' -- ' || t.tgenabled::text end
      from relations r
      join pg_trigger t on t.tgrelid = r.oid and not t.tgisinternal
    union all
    select 3, r.full_name, 6, row_number() over (order by p.polname),
           '  ' || concat_ws(' ', 'policy', format('%I', p.polname),
             case when p.polpermissive then 'permissive' else 'restrictive' end,
             'for', case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
             'to', (select string_agg(o.role::regrole::text, ', ' order by 1) from unnest(p.polroles) as o (role)),
             'using (' || pg_get_expr(p.polqual, p.polrelid) || ')',
             'with check (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')')
      from relations r
      join pg_policy p on p.polrelid = r.oid
    union all
    select 4, f.full_name, 0, 0, pg_get_functiondef(f.oid) || ';' from own_functions f
    union all
    select 5, g.target, 0, row_number() over (order by g.column_name, a.grantee::regrole::text, a.privilege_type),
           format('grant %s%s on %s to %s;', lower(a.privilege_type), ' (' || g.column_name || ')', g.target,
             case a.grantee when 0 then 'public' else a.grantee::regrole::text end)
      from grants g
     cross join lateral aclexplode(g.acl) a
     where a.grantee::regrole::text not in ('parking_owner', 'postgres', 'pg_database_owner')
    union all
    select 5, 'default privileges', 0, row_number() over (order by d.defaclobjtype, a.grantee::regrole::text, a.privilege_type),
           format('default privileges of %s on %s: %s to %s;', d.defaclrole::regrole, d.defaclobjtype,
             lower(a.privilege_type), case a.grantee when 0 then 'public' else a.grantee::regrole::text end)
      from pg_default_acl d
     cross join lateral aclexplode(d.defaclacl) a
    union all
    select 6, o.identity, 0, row_number() over (order by o.type, o.identity),
           format('comment on %s %s is %L;', o.type, o.identity, o.description)
      from (
        select i.type, i.identity, d.description
          from pg_description d
         cross join lateral pg_identify_object(d.classoid, d.objoid, d.objsubid) i
         where i.schema in (select name from namespaces)
            or i.type = 'schema' and i.identity in (select name from namespaces where name <> 'public')
            or i.type in ('table constraint', 'trigger', 'policy')
               and i.identity ~ (select ' on (' || string_agg(name, '|') || ')\.' from namespaces)
      ) o
     where not exists (
       select from pg_proc p
         join pg_depend e on e.classid = 'pg_proc'::regclass and e.objid = p.oid and e.deptype = 'e'
        where o.type = 'function' and o.identity like format('private.%s(%%', p.proname)
     )
  )
select line
  from lines
 order by section, object, part, rank, line;
