/*
 * How to get to a spot: a code, where the key is. Everybody reads the row of a spot, and so its events
 * and what webhooks send of it; this stands in a row of its own, which has no events.
 */
create table if not exists parking.spot_access (
  spot_id uuid,
  owner_id uuid not null default private.caller_id(),
  access_notes text,
  constraint spot_access_pkey primary key (spot_id)
);

comment on table parking.spot_access is
  E'@absent Access notes not found\nWhat the owner of a spot tells only those who have claimed it.';
comment on column parking.spot_access.spot_id is
  'The spot.';
comment on column parking.spot_access.owner_id is
  'The owner of the spot.';
comment on column parking.spot_access.access_notes is
  'How to get in, such as the code of the gate. The owner and administrators read it, and who has claimed the spot, until the claim ends.';

create index if not exists spot_access_spot_id_owner_id_idx on parking.spot_access (spot_id, owner_id);
create index if not exists spot_access_owner_id_idx on parking.spot_access (owner_id);

/*
 * The owner and administrators read it here; the claimer reads it in parking.contacts, whose
 * conditions say for how long.
 */
alter table parking.spot_access enable row level security;

drop policy if exists own on parking.spot_access;
create policy own on parking.spot_access
  to parking_api
  using (owner_id = (select private.caller_id()));

drop policy if exists select_as_administrator on parking.spot_access;
create policy select_as_administrator on parking.spot_access
  for select to parking_api
  using ((select private.is_administrator()));

drop policy if exists insert_any on parking.spot_access;
create policy insert_any on parking.spot_access
  for insert to parking_api
  with check (true);

grant select on parking.spot_access to parking_api;
grant insert (spot_id, owner_id, access_notes) on parking.spot_access to parking_api;
-- No update of spot_id and owner_id: spots do not change hands. No delete: null is as good.
grant update (access_notes) on parking.spot_access to parking_api;
