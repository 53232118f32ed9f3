/*
 * The roles of one PostgreSQL cluster. Not a migration: whoever may create roles runs it, once per
 * database, connected to that database; running it again changes nothing.
 * Passwords are given outside (`alter role … password …`), never in a file.
 */
do $$
begin
  if not exists (select from pg_catalog.pg_roles where rolname = 'parking_owner') then
    create role parking_owner login;
  end if;
  if not exists (select from pg_catalog.pg_roles where rolname = 'parking_api') then
    create role parking_api login;
  end if;
  if not exists (select from pg_catalog.pg_roles where rolname = 'parking_reporter') then
    create role parking_reporter login;
  end if;

  -- The owner makes schemas and the trusted extension btree_gist; it needs nothing more.
  execute format('grant connect, create on database %I to parking_owner', current_database());
  execute format('grant connect on database %I to parking_api', current_database());
  execute format('grant connect on database %I to parking_reporter', current_database());
  execute format('revoke temporary on database %I from public', current_database());
end
$$;

comment on role parking_owner is
  'Owns every object and runs the migrations. Neither superuser nor BYPASSRLS.';
comment on role parking_api is
  'Logs in for the service. Row-level security and column grants bind it.';
comment on role parking_reporter is
  'Logs in for reporting tools. Sees the views of schema reporting and writes nothing.';

-- A request that cannot get on must fail rather than pile up.
alter role parking_api set statement_timeout = '10s';
-- Longer than deadlock_timeout, a second: requests that lock each other out are run again, not refused.
alter role parking_api set lock_timeout = '1200ms';
alter role parking_api set idle_in_transaction_session_timeout = '15s';
alter role parking_api set timezone = 'UTC';

-- A report may take its time, yet must not hold up the building.
alter role parking_reporter connection limit 5;
alter role parking_reporter set default_transaction_read_only = on;
alter role parking_reporter set statement_timeout = '60s';
alter role parking_reporter set idle_in_transaction_session_timeout = '60s';
alter role parking_reporter set search_path = reporting;
alter role parking_reporter set timezone = 'UTC';
