/* What is true of every claim, whoever writes it and by whichever door. */

-- Checks are judged in the order of their names: whose spot it is comes before the times.
alter table parking.claims
  drop constraint if exists claims_not_by_owner,
  add constraint claims_not_by_owner
    check (claimer_id <> owner_id),
  drop constraint if exists claims_start_before_end,
  add constraint claims_start_before_end
    check (start_time < end_time),
  drop constraint if exists claims_status_is_known,
  add constraint claims_status_is_known
    check (status in ('active', 'completed', 'cancelled')),
  drop constraint if exists claims_times_are_calendar_dates,
  add constraint claims_times_are_calendar_dates
    check (start_time >= '0001-01-01T00:00:00Z' and end_time < '10000-01-01T00:00:00Z'),
  drop constraint if exists claims_made_by_a_resident,
  add constraint claims_made_by_a_resident
    foreign key (claimer_id)
    references parking.profiles (id);

-- Foreign keys act in the order in which they were made: the first removes the claims of a deleted
-- window before the second looks whether any is left outside it.
alter table parking.claims
  drop constraint if exists claims_of_an_availability,
  add constraint claims_of_an_availability
    foreign key (availability_id, spot_id, owner_id)
    references parking.availabilities (id, spot_id, owner_id)
    on delete cascade;

alter table parking.claims
  drop constraint if exists claims_within_availability,
  add constraint claims_within_availability
    foreign key (availability_id, period held)
    references parking.availabilities (id, period during);

create unique index if not exists claims_one_per_availability
  on parking.claims (availability_id)
  where status <> 'cancelled';

comment on constraint claims_not_by_owner on parking.claims is
  E'@status 403\nYou cannot claim your own parking spot';
comment on constraint claims_start_before_end on parking.claims is
  E'@field end_time\nend_time must be after start_time';
comment on constraint claims_status_is_known on parking.claims is
  E'@field status\nstatus must be active, completed or cancelled';
comment on constraint claims_times_are_calendar_dates on parking.claims is
  'start_time and end_time must lie in the years 1 to 9999';
comment on constraint claims_made_by_a_resident on parking.claims is
  E'@status 403\nThe claimer of a parking spot must be a resident';
comment on constraint claims_of_an_availability on parking.claims is
  E'@status 404\nAvailability not found';
comment on constraint claims_within_availability on parking.claims is
  E'@status 400\nClaim times must be within the availability window';
comment on index parking.claims_one_per_availability is
  E'@status 400\nThis availability has already been claimed';

-- After the constraints, so that whose spot it is and the order of the times are judged first.
drop trigger if exists claims_start_in_future on parking.claims;
create constraint trigger claims_start_in_future
  after insert or update of start_time on parking.claims
  for each row
  execute function private.enforce_start_in_future();

comment on trigger claims_start_in_future on parking.claims is
  E'@field start_time\nstart_time must be in the future';

create or replace trigger claims_begin_active
  before insert on parking.claims
  for each row
  when (new.status <> 'active')
  execute function private.enforce_rule();

comment on trigger claims_begin_active on parking.claims is
  E'@field status\nA new claim is active';

create or replace trigger claims_closed_stay_closed
  before update of status, start_time, end_time on parking.claims
  for each row
  when (old.status <> 'active')
  execute function private.enforce_rule();

comment on trigger claims_closed_stay_closed on parking.claims is
  'Cannot change status from completed/cancelled';

create or replace trigger claims_close_with_their_times
  before update of status, start_time, end_time on parking.claims
  for each row
  when (
    old.status = 'active'
    and new.status <> 'active'
    and (new.start_time, new.end_time) is distinct from (old.start_time, old.end_time)
  )
  execute function private.enforce_rule();

comment on trigger claims_close_with_their_times on parking.claims is
  'Claim times cannot be changed while completing or cancelling the claim';

create or replace trigger claims_completed_are_not_deleted
  before delete on parking.claims
  for each row
  when (old.status = 'completed')
  execute function private.enforce_completed_kept();

comment on trigger claims_completed_are_not_deleted on parking.claims is
  'Cannot delete a completed claim';

create or replace trigger mark_availability
  after insert or delete or update of status on parking.claims
  for each row
  execute function private.mark_availability();
