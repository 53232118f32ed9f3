/* The schemas: tables in parking, operations in api, and in private what clients must not call. */
create schema if not exists parking;
create schema if not exists api;
create schema if not exists private;
create schema if not exists reporting;
create schema if not exists identity;

comment on schema parking is
  'Tables, their rules and their policies.';
comment on schema api is
  'One function per operation of the service; REST and GraphQL call the same ones.';
comment on schema private is
  'Helpers, trigger functions, sign-in data and the event log. Not for clients.';
comment on schema reporting is
  'Read-only views for reporting tools, without e-mail addresses, phone numbers or names.';

comment on schema identity is
  'What the sign-in by mail (SIGN_IN=mail) stores. Only the service calls it, and for nobody: requests of people cannot reach it.';

-- PostgreSQL lets everyone execute a new function; here each grant is written down.
alter default privileges revoke execute on functions from public;

-- An exclusion constraint needs it to compare uuids.
create extension if not exists btree_gist with schema private;

grant usage on schema parking, api, private, identity to parking_api;
grant usage on schema reporting to parking_reporter, parking_analyst;
