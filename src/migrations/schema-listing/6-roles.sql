/*
 * The roles that may connect to this database, the groups that they belong to, and settings. Another
 * building's logins, which cannot connect, are not shown. Neither is the owner of the database,
 * which another role may be wherever it runs, nor are memberships that a creator of roles has
 * without using them.
 */
with recursive
  this as (
    select d.oid, d.datdba, d.datacl from pg_database d where d.datname = current_database()
  ),
  memberships as (
    select m.*
      from pg_auth_members m
     where m.inherit_option or m.set_option or m.grantor <> 10
  ),
  roles (id) as (
    select a.grantee
      from this t
     cross join lateral aclexplode(t.datacl) a
     where a.grantee not in (0, t.datdba)
    union
    select r.oid from pg_roles r where r.rolname in ('parking_analyst', 'parking_api', 'parking_reporter')
    union
    select step.role
      from roles
     cross join lateral (
       select m.roleid from memberships m where m.member = roles.id
       union all
       select m.member
         from memberships m, this t
        where m.roleid = roles.id
          and roles.id::regrole::text !~ '^pg_'
          and m.member <> t.datdba
          and has_database_privilege(m.member, t.oid, 'connect')
     ) step (role)
  ),
  lines (role, part, line) as (
    select r.rolname, 0, concat_ws(' ', 'role', r.rolname,
             case when r.rolcanlogin then 'login' else 'nologin' end,
             case when r.rolsuper then 'superuser' end,
             case when r.rolbypassrls then 'bypassrls' end,
             case when r.rolcreaterole then 'createrole' end,
             case when r.rolcreatedb then 'createdb' end,
             case when r.rolreplication then 'replication' end,
             case when not r.rolinherit then 'noinherit' end,
             case when r.rolconnlimit >= 0 then 'connection limit ' || r.rolconnlimit end,
             'valid until ' || r.rolvaliduntil)
      from roles
      join pg_roles r on r.oid = roles.id
    union all
    -- Two roles may have granted the same.
    select distinct m.member::regrole::text, 1, format('grant %s to %s with inherit %s, set %s, admin %s', m.roleid::regrole, m.member::regrole,
             m.inherit_option, m.set_option, m.admin_option)
      from memberships m
     where m.member in (select id from roles) and m.roleid in (select id from roles)
    union all
    select r.id::regrole::text, 3, format('comment on role %s is %L;', r.id::regrole, d.description)
      from roles r
      join pg_shdescription d on (d.classoid, d.objoid) = ('pg_authid'::regclass, r.id)
     where r.id >= 16384 -- below are PostgreSQL's own
    union all
    select '', 3, format('comment on database is %L;', d.description)
      from this t
      join pg_shdescription d on (d.classoid, d.objoid) = ('pg_database'::regclass, t.oid)
    union all
    select case s.setrole when 0 then '' else s.setrole::regrole::text end, 2,
           concat_ws(' ',
             case s.setrole when 0 then 'alter database' else 'alter role ' || s.setrole::regrole end,
             case when s.setrole <> 0 and s.setdatabase <> 0 then 'in database' end,
             'set', setting)
      from pg_db_role_setting s
     cross join lateral unnest(s.setconfig) setting
     where s.setdatabase in (0, (select oid from this))
       and (s.setrole = 0 or s.setrole in (select id from roles))
  )
select line
  from lines
 order by role collate "C", part, line collate "C";
