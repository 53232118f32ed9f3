/*
 * The roles of one building's database. This is not a migration: a role that may create roles and
 * owns the database runs it, connected to that database. Run again, it resets what was
 * set for these roles with alter role ... set. Passwords are set outside. The file is ASCII:
 * a database of any encoding can read it.
 */

/*
 * Several buildings in one cluster each have login roles of their own. Name the building first:
 *     psql -c "set parking.building = 'elm_street'" -f sql/roles.sql
 * makes elm_street_owner, elm_street_api, elm_street_reporter and elm_street_analyst. The roles
 * parking_api, parking_reporter and parking_analyst are then groups that cannot log in. Without a
 * name, they and parking_owner log in themselves.
 */
do $$
declare
  v_building constant text := nullif(nullif(current_setting('parking.building', true), ''), 'parking');
  v_owner constant text := coalesce(v_building, 'parking') || '_owner';
  v_api constant text := coalesce(v_building, 'parking') || '_api';
  v_reporter constant text := coalesce(v_building, 'parking') || '_reporter';
  v_analyst constant text := coalesce(v_building, 'parking') || '_analyst';
  v_me constant pg_roles := (select r from pg_roles r where r.rolname = current_user);
  v_database constant pg_database := (select d from pg_database d where d.datname = current_database());
  v_role text;
  v_other text;
  v_function regprocedure;
begin
  -- Everything is checked before anything is made.
  if current_setting('server_version_num')::integer < 180000 then
    raise 'PostgreSQL 18 or later is needed; this is %', current_setting('server_version');
  end if;
  if not (v_me.rolsuper or v_me.rolcreaterole) then
    raise 'role "%" cannot create roles: run this file as a role with CREATEROLE', current_user;
  end if;
  if not (v_me.rolsuper or pg_has_role(v_database.datdba, 'usage')) then
    raise 'role "%" cannot grant on database "%": run this file as its owner, "%"',
      current_user, v_database.datname, v_database.datdba::regrole;
  end if;
  if v_database.datdba::regrole::text in (quote_ident(v_api), quote_ident(v_reporter), quote_ident(v_analyst)) then
    raise 'database "%" belongs to "%", which must own nothing: alter database ... owner to ...',
      v_database.datname, v_database.datdba::regrole;
  end if;
  if pg_encoding_to_char(v_database.encoding) <> 'UTF8'
    or v_database.datlocprovider <> 'b'
    or v_database.datlocale <> 'C.UTF-8'
  then
    -- Upper and lower case, and the order of every list, come from the locale. A locale of the
    -- operating system changes with its updates, which breaks indexes.
    raise 'database "%" has another encoding or locale than this needs: create database ... template template0 encoding ''UTF8'' locale_provider builtin builtin_locale ''C.UTF-8''',
      v_database.datname;
  end if;
  if v_building !~ '^[a-z][a-z0-9_]{0,50}$' then
    raise 'parking.building is "%": use lower-case letters, digits and _', v_building;
  end if;
  if v_building is null
    and exists (select from pg_roles where rolname = 'parking_api' and not rolcanlogin)
  then
    raise 'each building in this cluster has login roles of its own: set parking.building to the name of this one';
  end if;
  -- A login would inherit the group's right to connect to the other building.
  select d.datname into v_other
    from pg_database d
   cross join lateral aclexplode(d.datacl) a
   where v_building is not null
     and d.oid <> v_database.oid
     and a.grantee::regrole::text in ('parking_api', 'parking_reporter');
  if v_other is not null then
    raise 'database "%" is of a building without login roles of its own: first run this file there, with parking.building set',
      v_other;
  end if;

  foreach v_role in array array[
    v_owner, v_api, v_reporter, v_analyst, 'parking_api', 'parking_reporter', 'parking_analyst'
  ] loop
    if not exists (select from pg_roles where rolname = v_role) then
      execute format('create role %I', v_role);
    end if;
  end loop;
  foreach v_role in array array[v_owner, v_api, v_reporter, v_analyst] loop
    execute format('alter role %I login', v_role);
  end loop;

  -- By default everybody may connect, and make temporary tables.
  execute format('revoke connect, temporary on database %I from public', v_database.datname);
  execute format('grant connect on database %I to %I, %I, %I', v_database.datname, v_api, v_reporter, v_analyst);
  -- The owner makes schemas and the trusted extension btree_gist; it needs nothing more.
  execute format('grant connect, create on database %I to %I', v_database.datname, v_owner);

  if v_building is not null then
    foreach v_role in array array['parking_owner', 'parking_api', 'parking_reporter', 'parking_analyst'] loop
      -- parking_owner exists where the building once had no name.
      if exists (select from pg_roles where rolname = v_role) then
        execute format('alter role %I nologin connection limit -1', v_role);
        execute format('alter role %I reset all', v_role);
        execute format('revoke all on database %I from %I', v_database.datname, v_role);
        execute format('comment on role %I is %L', v_role,
          'Logs in nowhere. The logins of the buildings are its members.');
      end if;
    end loop;
    execute format('grant parking_api to %I with inherit true, set false', v_api);
    execute format('grant parking_reporter to %I with inherit true, set false', v_reporter);
    execute format('grant parking_analyst to %I with inherit true, set false', v_analyst);
  end if;

  execute format('comment on role %I is %L', v_owner,
    'Owns every object and runs the migrations. Neither superuser nor BYPASSRLS.');
  execute format('comment on role %I is %L', v_api,
    'Logs in for the service. Row-level security and column grants bind it.');
  execute format('comment on role %I is %L', v_reporter,
    'Logs in for reporting tools. Sees the views of schema reporting and writes nothing.');

  execute format('comment on role %I is %L', v_analyst,
    'Logs in for reports without spots and people. Sees sums of sections and hours, and writes nothing.');

  -- A role can change its own settings for later sessions, so that the service fails for good.
  -- Whatever was set is reset, also what was set for this database only.
  foreach v_role in array array[v_owner, v_api, v_reporter, v_analyst] loop
    execute format('alter role %I reset all', v_role);
    execute format('alter role %I in database %I reset all', v_role, v_database.datname);
  end loop;

  -- Settings are not inherited: they stand on the roles that log in. A session can change its own;
  -- docs/operations.md says what that leaves.
  for v_role, v_other in
    select s.role, s.setting
      from (values
        -- A migration may take its time, yet must neither queue before every request nor be left open.
        -- It has no limit on statements: an index on a large table takes as long as it takes.
        (v_owner, 'lock_timeout = ''5s'''),
        (v_owner, 'idle_in_transaction_session_timeout = ''5min'''),
        -- A request that cannot get on must fail rather than pile up.
        (v_api, 'statement_timeout = ''10s'''),
        -- Longer than deadlock_timeout, a second: requests that lock each other out are run again, not
        -- refused.
        (v_api, 'lock_timeout = ''1200ms'''),
        (v_api, 'idle_in_transaction_session_timeout = ''15s'''),
        (v_api, 'transaction_timeout = ''20s'''),
        (v_api, 'timezone = ''UTC''')
      ) as s (role, setting)
    union all
    -- A report may take a while, but must not hold up the building.
    select r.role, s.setting
      from unnest(array[v_reporter, v_analyst]) r (role)
     cross join unnest(array[
       'statement_timeout = ''60s''',
       'lock_timeout = ''5s''',
       'idle_in_transaction_session_timeout = ''60s''',
       'transaction_timeout = ''5min''',
       'default_transaction_read_only = on',
       'search_path = reporting',
       'timezone = ''UTC'''
     ]) s (setting)
  loop
    execute format('alter role %I set %s', v_role, v_other);
  end loop;
  execute format('alter role %I connection limit 5', v_reporter);
  execute format('alter role %I connection limit 5', v_analyst);

  -- Everybody may make large objects, write to the WAL, and take the advisory locks that migrations
  -- and registrations take. These functions belong to the superuser.
  for v_function in
    select p.oid
      from pg_proc p
     where p.pronamespace = 'pg_catalog'::regnamespace
       and p.proname ~ '^(lo_|loread$|lowrite$|pg_advisory_|pg_try_advisory_|pg_logical_emit_message$)'
  loop
    if v_me.rolsuper then
      execute format('revoke execute on function %s from public', v_function);
      execute format('grant execute on function %s to %I', v_function, v_owner);
    elsif has_function_privilege('public', v_function::oid, 'execute') then
      raise warning 'large objects and advisory locks stay open to "%": only a superuser can close them', v_api;
      exit;
    end if;
  end loop;

  -- The limits above hold in this database only. Others are not changed: they may have other users.
  select string_agg(format('%I', d.datname), ', ') into v_other
    from pg_database d
   where d.oid <> v_database.oid
     and d.datallowconn
     and (has_database_privilege(v_api, d.oid, 'connect')
          or has_database_privilege(v_reporter, d.oid, 'connect'));
  if v_other is not null then
    raise warning '"%" and "%" can also connect to other databases: revoke connect on database % from public',
      v_api, v_reporter, v_other;
  end if;
end
$$;
