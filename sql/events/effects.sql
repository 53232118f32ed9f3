/*
 * Every event of a row is written here. The triggers say which change is which event. The row is kept as
 * it is, which costs a claim nothing; what clients see of it is made of it when it gets its position.
 */
create or replace function private.record_event()
  returns trigger
  language plpgsql
  security definer -- only triggers write events
  set search_path = ''
as $$
declare
  v_type constant text := tg_argv[0];
begin
  if tg_level = 'ROW' then
    insert into private.new_events (type, subject_id, data)
    values (v_type, new.id, to_jsonb(new));
  else
    -- A spot may have thousands of windows and claims: all that go with it are logged in one statement.
    insert into private.new_events (type, subject_id, actor_id, reason, data)
    select v_type,
           d.id,
           (select private.actor_id()),
           (select private.given_reason()),
           to_jsonb(d)
      from deleted d;
  end if;
  return null;
end;
$$;

/* Windows are created, moved and deleted, and more or less of them is offered. A claim of a window is an event of the claim. */
create or replace trigger record_creation
  after insert on parking.availabilities
  for each row
  execute function private.record_event('availability.created');

create or replace trigger record_update
  after update of start_time, end_time, offered on parking.availabilities
  for each row
  when (
    (new.start_time, new.end_time, new.offered) is distinct from (old.start_time, old.end_time, old.offered)
  )
  execute function private.record_event('availability.updated');

create or replace trigger record_deletions
  after delete on parking.availabilities
  referencing old table as deleted
  for each statement
  execute function private.record_event('availability.deleted');

/* Claims are submitted, moved, completed, cancelled and deleted. */
create or replace trigger record_submission
  after insert on parking.claims
  for each row
  execute function private.record_event('claim.submitted');

create or replace trigger record_update
  after update of start_time, end_time on parking.claims
  for each row
  when (
    new.status = old.status
    and (new.start_time, new.end_time) is distinct from (old.start_time, old.end_time)
  )
  execute function private.record_event('claim.updated');

create or replace trigger record_description
  after update of guest, vehicle on parking.claims
  for each row
  when (
    (new.status, new.start_time, new.end_time) = (old.status, old.start_time, old.end_time)
    and old.status = 'active' -- what an erasure takes out of one that is over is no event of the claim
    and (new.guest, new.vehicle) is distinct from (old.guest, old.vehicle)
  )
  execute function private.record_event('claim.updated');

create or replace trigger record_completion
  after update on parking.claims
  for each row
  when (new.status = 'completed' and old.status <> 'completed')
  execute function private.record_event('claim.completed');

create or replace trigger record_cancellation
  after update on parking.claims
  for each row
  when (new.status = 'cancelled' and old.status <> 'cancelled')
  execute function private.record_event('claim.cancelled');

create or replace trigger record_deletions
  after delete on parking.claims
  referencing old table as deleted
  for each statement
  execute function private.record_event('claim.deleted');

/* Keys of machines are made and withdrawn. */
create or replace trigger record_creation
  after insert on parking.keys
  for each row
  execute function private.record_event('key.created');

create or replace trigger record_deletions
  after delete on parking.keys
  referencing old table as deleted
  for each statement
  execute function private.record_event('key.deleted');

/* Patterns are created, changed and deleted. Their windows have events of their own. */
create or replace trigger record_creation
  after insert on parking.patterns
  for each row
  execute function private.record_event('pattern.created');

create or replace trigger record_update
  after update on parking.patterns
  for each row
  when (
    (new.weekdays, new.starts_at, new.ends_at, new.first_day, new.last_day)
      is distinct from
      (old.weekdays, old.starts_at, old.ends_at, old.first_day, old.last_day)
  )
  execute function private.record_event('pattern.updated');

create or replace trigger record_deletions
  after delete on parking.patterns
  referencing old table as deleted
  for each statement
  execute function private.record_event('pattern.deleted');

/* Profiles are registered, approved, rejected and updated; none is deleted. */
create or replace trigger record_registration
  after insert on parking.profiles
  for each row
  execute function private.record_event('profile.registered');

create or replace trigger record_approval
  after update on parking.profiles
  for each row
  when (new.is_approved and not old.is_approved)
  execute function private.record_event('profile.approved');

create or replace trigger record_rejection
  after update on parking.profiles
  for each row
  when (
    new.rejection_reason is distinct from old.rejection_reason
    and new.rejection_reason is not null
  )
  execute function private.record_event('profile.rejected');

create or replace trigger record_update
  after update on parking.profiles
  for each row
  when (
    not (new.is_approved and not old.is_approved)
    and (new.rejection_reason is null or new.rejection_reason = old.rejection_reason)
    and (
      new.email, new.full_name, new.apartment_number, new.phone_number, new.shares_phone_number,
      new.vehicle, new.is_approved, new.is_admin, new.is_concierge, new.rejection_reason
    ) is distinct from (
      old.email, old.full_name, old.apartment_number, old.phone_number, old.shares_phone_number,
      old.vehicle, old.is_approved, old.is_admin, old.is_concierge, old.rejection_reason
    )
  )
  execute function private.record_event('profile.updated');

/* Reports of strangers' cars are submitted and resolved. */
create or replace trigger record_submission
  after insert on parking.spot_reports
  for each row
  execute function private.record_event('report.submitted');

create or replace trigger record_resolution
  after update on parking.spot_reports
  for each row
  when (new.is_resolved and not old.is_resolved)
  execute function private.record_event('report.resolved');

/* Spots are registered, verified, updated and deleted; one that is retired is gone for all who hear of it. */
create or replace trigger record_registration
  after insert on parking.spots
  for each row
  execute function private.record_event('spot.registered');

create or replace trigger record_verification
  after update on parking.spots
  for each row
  when (new.is_verified and not old.is_verified)
  execute function private.record_event('spot.verified');

create or replace trigger record_update
  after update on parking.spots
  for each row
  when (
    not (new.is_verified and not old.is_verified)
    and new.retired_at is not distinct from old.retired_at
    and (new.spot_number, new.building_section, new.is_verified, new.notes)
      is distinct from (old.spot_number, old.building_section, old.is_verified, old.notes)
  )
  execute function private.record_event('spot.updated');

create or replace trigger record_deletions
  after delete on parking.spots
  referencing old table as deleted
  for each statement
  execute function private.record_event('spot.deleted');

create or replace trigger record_retirement
  after update of retired_at on parking.spots
  for each row
  when (new.retired_at is not null and old.retired_at is null)
  execute function private.record_event('spot.deleted');

/*
 * Pages that show how to get to a spot hear that it changed, and read it again. The event does not say it: it is
 * for few people, and for each only for a while.
 */
create or replace function private.record_access()
  returns trigger
  language plpgsql
  security definer -- only triggers write events
  set search_path = ''
as $$
begin
  if tg_op = 'INSERT' or new.access_notes is distinct from old.access_notes then
    insert into private.new_events (type, subject_id, data)
    values ('access.updated', new.spot_id, jsonb_build_object('id', new.spot_id));
  end if;
  return null;
end;
$$;

create or replace trigger record_access
  after insert or update of access_notes on parking.spot_access
  for each row
  execute function private.record_access();

/* Open pages hear that the limits changed, and read them again. */
create or replace function private.record_limits()
  returns trigger
  language plpgsql
  security definer -- only triggers write events
  set search_path = ''
as $$
begin
  if new is distinct from old then
    insert into private.new_events (type, subject_id, data)
    select 'building.updated', b.id, jsonb_build_object('id', b.id)
      from parking.building b;
  end if;
  return null;
end;
$$;

create or replace trigger record_limits
  after update on parking.building
  for each row
  execute function private.record_limits();

create or replace trigger record_limits
  after insert or update or delete on parking.limits
  for each row
  execute function private.record_limits();
