import { describeChecks, isOfExtension, logins, ours, owner } from "./check.ts";

describeChecks("PUBLIC", [
  {
    title: "has no privilege on the database, a schema, a relation, a column or a function",
    offenders: `
      with granted (name, acl) as (
        select 'database', coalesce(d.datacl, acldefault('d', d.datdba))
          from pg_database d
         where d.datname = current_database()
        union all
        select 'schema ' || n.nspname, n.nspacl
          from pg_namespace n
         where ${ours} and n.nspname <> 'public' -- nothing is in it
        union all
        select c.oid::regclass::text, c.relacl
          from pg_class c
          join pg_namespace n on n.oid = c.relnamespace
         where ${ours}
        union all
        select c.oid::regclass || '.' || a.attname, a.attacl
          from pg_attribute a
          join pg_class c on c.oid = a.attrelid
          join pg_namespace n on n.oid = c.relnamespace
         where ${ours}
        union all
        select p.oid::regprocedure::text, coalesce(p.proacl, acldefault('f', p.proowner))
          from pg_proc p
          join pg_namespace n on n.oid = p.pronamespace
         where ${ours} and not ${isOfExtension}
      )
      select g.name
        from granted g
       where exists (select from aclexplode(g.acl) a where a.grantee = 0)`,
    breaks: {
      "do $$ begin execute 'grant temporary on database ' || current_database() || ' to public'; end $$":
        "database",
      "grant usage on schema api to public": "schema api",
      "grant select on parking.spots to public": "parking.spots",
      "grant select (id) on parking.spots to public": "parking.spots.id",
      "create sequence private.numbers; grant usage on sequence private.numbers to public":
        "private.numbers",
      "create function api.feed() returns void language sql return null": "api.feed()",
    },
  },
  {
    title: "will have none on new functions of the owner",
    offenders: `
      select d.kind as name
        from (
          select 'functions' as kind, coalesce(
            (select defaclacl from pg_default_acl
              where (defaclrole, defaclobjtype, defaclnamespace) = (${owner}, 'f', 0)),
            acldefault('f', ${owner})
          ) as acl
          union all
          select 'schema ' || defaclnamespace::regnamespace, defaclacl
            from pg_default_acl where defaclnamespace <> 0
        ) d
       where exists (select from aclexplode(d.acl) a where a.grantee = 0)`,
    breaks: {
      "alter default privileges for role parking_owner grant execute on functions to public":
        "functions",
      [`alter default privileges for role parking_owner in schema api
          grant execute on functions to public`]: "schema api",
    },
  },
  {
    title: "finds nothing in the schema public",
    offenders: `
      select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace
      union all
      select p.proname from pg_proc p where p.pronamespace = 'public'::regnamespace`,
    breaks: {
      "create table public.pets ()": "pets",
      "create function public.feed() returns void language sql return null": "feed",
    },
  },
]);

describeChecks("a role that logs in for the service or for reports", [
  {
    title: "has no special attribute, and is no member of a role",
    offenders: `
      select r.rolname as name
        from ${logins} r
       where r.rolbypassrls or r.rolcreaterole or r.rolcreatedb or r.rolreplication
          or exists (select from pg_auth_members m where m.member = r.oid)`,
    breaks: {
      "alter role parking_api bypassrls": "parking_api",
      "grant parking_owner to parking_reporter": "parking_reporter",
      "grant pg_read_all_data to parking_api": "parking_api",
    },
  },
  {
    title: "owns nothing",
    offenders: `
      select r.rolname as name
        from ${logins} r
       where exists (
         select from pg_shdepend d
          where d.refclassid = 'pg_authid'::regclass and d.refobjid = r.oid and d.deptype = 'o'
       )`,
    breaks: {
      "alter table parking.spots owner to parking_api": "parking_api",
      "create schema pets authorization parking_reporter": "parking_reporter",
    },
  },
  {
    title: "may create nothing, neither in a schema or a tablespace nor temporarily",
    offenders: `
      select r.rolname as name
        from ${logins} r
       where has_database_privilege(r.oid, current_database(), 'create, temporary')
          or exists (select from pg_namespace n where has_schema_privilege(r.oid, n.oid, 'create'))
          or exists (select from pg_tablespace t where has_tablespace_privilege(r.oid, t.oid, 'create'))`,
    breaks: {
      "grant create on schema private to parking_api": "parking_api",
      "grant create on tablespace pg_default to parking_reporter": "parking_reporter",
      "do $$ begin execute 'grant temporary on database ' || current_database() || ' to parking_api'; end $$":
        "parking_api",
      "do $$ begin execute 'grant create on database ' || current_database() || ' to parking_api'; end $$":
        "parking_api",
    },
  },
  {
    title: "may write single columns only, and pass no privilege on",
    offenders: `
      select c.oid::regclass || ': ' || lower(a.privilege_type) as name
        from pg_class c
        join pg_namespace n on n.oid = c.relnamespace
       cross join lateral aclexplode(c.relacl) a
       where ${ours}
         and a.grantee <> c.relowner
         and (a.privilege_type not in ('SELECT', 'DELETE') or a.is_grantable)`,
    breaks: {
      "grant insert on parking.spots to parking_api": "parking.spots: insert",
      "grant update on parking.claims to parking_api": "parking.claims: update",
      "grant truncate on parking.claims to parking_api": "parking.claims: truncate",
      "grant trigger on parking.claims to parking_reporter": "parking.claims: trigger",
      "grant references on parking.claims to parking_api": "parking.claims: references",
      "grant select on reporting.claims to parking_reporter with grant option":
        "reporting.claims: select",
    },
  },
  {
    title: "has a limit on statements, transactions, idle transactions and waiting for locks",
    offenders: `
      select r.rolname || ': ' || limited.name as name
        from ${logins} r
       cross join (values ('statement_timeout'), ('lock_timeout'), ('transaction_timeout'),
                          ('idle_in_transaction_session_timeout')) as limited (name)
       where not exists (
         select from pg_db_role_setting s
          cross join unnest(s.setconfig) setting
          where s.setrole = r.oid
            and s.setdatabase = 0
            and setting ~ ('^' || limited.name || '=[1-9]')
       )`,
    breaks: {
      "alter role parking_api reset lock_timeout": "parking_api: lock_timeout",
      "alter role parking_api set statement_timeout = 0": "parking_api: statement_timeout",
      "alter role parking_reporter reset transaction_timeout":
        "parking_reporter: transaction_timeout",
      "create role pets login in role parking_reporter; alter role pets set statement_timeout = 1; alter role pets set lock_timeout = 1; alter role pets set transaction_timeout = 1":
        "pets: idle_in_transaction_session_timeout",
    },
  },
  {
    title: "has a limit on connections, but for the service, whose pools have one",
    offenders: `
      select r.rolname as name
        from ${logins} r
       where r.rolconnlimit = -1
         and r.rolname <> 'parking_api'`,
    breaks: {
      "alter role parking_reporter connection limit -1": "parking_reporter",
      "do $$ begin create role pets login; execute 'grant connect on database ' || current_database() || ' to pets'; end $$":
        "pets",
    },
  },
]);

describeChecks("the owner", [
  {
    title: "has a limit on waiting for locks and idle transactions, none on how long it works",
    offenders: `
      select format('%s %s', r.rolname, s.setconfig) as name
        from pg_roles r
        left join pg_db_role_setting s on (s.setrole, s.setdatabase) = (r.oid, 0)
       where r.oid = ${owner}
         and array(
           select split_part(setting, '=', 1)
             from unnest(s.setconfig) setting
            where setting ~ 'timeout=[1-9]'
            order by 1
         ) <> array['idle_in_transaction_session_timeout', 'lock_timeout']`,
    breaks: {
      "alter role parking_owner reset all; alter role parking_owner set lock_timeout = '5s'":
        "parking_owner {lock_timeout=5s}",
    },
  },
  {
    title: "is no superuser, and is not exempt from row security by attribute",
    offenders: `
      select r.rolname as name
        from pg_roles r
       where r.oid = ${owner} and (r.rolsuper or r.rolbypassrls or r.rolcreaterole or r.rolcreatedb)`,
    breaks: { "alter role parking_owner bypassrls": "parking_owner" },
  },
]);
