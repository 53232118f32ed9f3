/* The privileges of each role, except those that owners always have. PUBLIC is everybody. */
with
  namespaces as (
    select n.oid, n.nspname as name, n.nspacl, n.nspowner
      from pg_namespace n
     where n.nspname = any (current_setting('listing.schemas')::text[])
  ),
  members as (
    select d.classid, d.objid from pg_depend d where d.deptype = 'e'
  ),
  -- An object without a list of privileges has the defaults of PostgreSQL.
  grants (target, column_name, owner, acl, usual) as (
    select 'schema ' || n.name, null, n.nspowner, n.nspacl, acldefault('n', n.nspowner) from namespaces n
    union all
    select format('%I.%I', n.name, c.relname), null, c.relowner, c.relacl, acldefault(case c.relkind when 'S' then 's' else 'r' end::"char", c.relowner)
      from pg_class c
      join namespaces n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
       and ('pg_class'::regclass, c.oid) not in (select classid, objid from members)
    union all
    select format('%I.%I', n.name, c.relname), a.attname, c.relowner, a.attacl, acldefault('c', c.relowner)
      from pg_class c
      join namespaces n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attacl is not null
    union all
    select 'function ' || p.oid::regprocedure, null, p.proowner, p.proacl, acldefault('f', p.proowner)
      from pg_proc p
      join namespaces n on n.oid = p.pronamespace
     where ('pg_proc'::regclass, p.oid) not in (select classid, objid from members)
    union all
    select format('type %I.%I', n.name, t.typname), null, t.typowner, t.typacl, acldefault('T', t.typowner)
      from pg_type t
      join namespaces n on n.oid = t.typnamespace
     where not (t.typacl <@ acldefault('T', t.typowner) and t.typacl @> acldefault('T', t.typowner))
    union all
    select 'language ' || l.lanname, null, l.lanowner, l.lanacl, acldefault('l', l.lanowner)
      from pg_language l
     where l.lanacl is not null
    union all
    select 'database', null, d.datdba, d.datacl, acldefault('d', d.datdba)
      from pg_database d
     where d.datname = current_database()
  ),
  lines (object, column_name, line) as (
    select g.target, g.column_name, format('grant %s%s on %s to %s%s;', lower(a.privilege_type), ' (' || g.column_name || ')', g.target,
             case a.grantee when 0 then 'public' else a.grantee::regrole::text end,
             case when a.is_grantable then ' with grant option' end)
      from grants g
     cross join lateral aclexplode(coalesce(g.acl, g.usual)) a
     where a.grantee <> g.owner
    union all
    select g.target, g.column_name, format('revoke %s on %s from its owner;', lower(u.privilege_type), g.target)
      from grants g
     cross join lateral aclexplode(g.usual) u
     where u.grantee = g.owner
       and g.acl is not null
       and not exists (
         select from aclexplode(g.acl) a
          where (a.grantee, a.privilege_type) = (u.grantee, u.privilege_type)
       )
    union all
    -- PostgreSQL's own functions, tables, types and parameters: what was granted after initdb, but not to the
    -- owner, who still has what sql/roles.sql revoked from PUBLIC if a superuser ran it.
    select 'system', null, format('grant %s on %s to %s;', lower(a.privilege_type), s.target,
             case a.grantee when 0 then 'public' else a.grantee::regrole::text end)
      from (
        select p.oid::regprocedure::text, p.proacl, coalesce(i.initprivs, acldefault('f', p.proowner))
          from pg_proc p
          left join pg_init_privs i on (i.classoid, i.objoid, i.objsubid) = ('pg_proc'::regclass, p.oid, 0)
         where p.pronamespace = 'pg_catalog'::regnamespace
        union all
        select c.oid::regclass::text, c.relacl, coalesce(i.initprivs, acldefault('r', c.relowner))
          from pg_class c
          left join pg_init_privs i on (i.classoid, i.objoid, i.objsubid) = ('pg_class'::regclass, c.oid, 0)
         where c.relnamespace = 'pg_catalog'::regnamespace
        union all
        select 'type ' || t.oid::regtype, t.typacl, acldefault('T', t.typowner)
          from pg_type t
         where t.typnamespace = 'pg_catalog'::regnamespace
        union all
        select 'parameter ' || p.parname, p.paracl, null
          from pg_parameter_acl p
      ) s (target, acl, usual)
     cross join lateral aclexplode(s.acl) a
     where a.grantee not in (10, (select n.nspowner from namespaces n where n.name = 'parking'))
       and not exists (
         select from aclexplode(s.usual) u
          where (u.grantee, u.privilege_type) = (a.grantee, a.privilege_type)
       )
    union all
    select 'default privileges', null, format('default privileges of %s%s on %s: %s to %s%s;', d.defaclrole::regrole, ' in schema ' || n.nspname,
             d.defaclobjtype, lower(a.privilege_type), case a.grantee when 0 then 'public' else a.grantee::regrole::text end,
             case when a.is_grantable then ' with grant option' end)
      from pg_default_acl d
      left join pg_namespace n on n.oid = d.defaclnamespace
     cross join lateral aclexplode(d.defaclacl) a
     where n.nspname is null
        or n.nspname = any (current_setting('listing.schemas')::text[])
  )
select line
  from lines
 order by object collate "C", column_name collate "C" nulls first, line collate "C";
