/* What is true of every availability, whoever writes it and by whichever door. */
alter table parking.availabilities
  drop constraint if exists availabilities_of_a_spot,
  add constraint availabilities_of_a_spot
    foreign key (spot_id, owner_id)
    references parking.spots (id, owner_id)
    on delete cascade,
  drop constraint if exists availabilities_start_before_end,
  add constraint availabilities_start_before_end
    check (start_time < end_time),
  drop constraint if exists availabilities_times_are_calendar_dates,
  add constraint availabilities_times_are_calendar_dates
    check (start_time >= '0001-01-01T00:00:00Z' and end_time < '10000-01-01T00:00:00Z'),
  drop constraint if exists availabilities_do_not_overlap,
  add constraint availabilities_do_not_overlap
    -- The window first: reports look windows up by time alone.
    exclude using gist (during with &&, spot_id with =);

comment on constraint availabilities_of_a_spot on parking.availabilities is
  E'@status 404\nParking spot not found';
comment on constraint availabilities_start_before_end on parking.availabilities is
  E'@field end_time\nend_time must be after start_time';
comment on constraint availabilities_times_are_calendar_dates on parking.availabilities is
  'start_time and end_time must lie in the years 1 to 9999';
comment on constraint availabilities_do_not_overlap on parking.availabilities is
  'Availability overlaps an existing availability of this spot';

create or replace trigger lock_spot
  before insert or update of start_time, end_time on parking.availabilities
  for each row
  execute function private.lock_spot();

-- After the constraints, so that the owner's identity and the order of the times are judged first.
drop trigger if exists availabilities_start_in_future on parking.availabilities;
create constraint trigger availabilities_start_in_future
  after insert or update of start_time on parking.availabilities
  for each row
  execute function private.enforce_start_in_future();

comment on trigger availabilities_start_in_future on parking.availabilities is
  E'@field start_time\nstart_time must be in the future';

create or replace trigger availabilities_claimed_are_not_updated
  before update of start_time, end_time on parking.availabilities
  for each row
  when (old.is_claimed)
  execute function private.enforce_rule();

comment on trigger availabilities_claimed_are_not_updated on parking.availabilities is
  'Cannot update a claimed availability';

create or replace trigger availabilities_claimed_are_not_deleted
  before delete on parking.availabilities
  for each row
  when (old.is_claimed)
  execute function private.enforce_not_claimed();

comment on trigger availabilities_claimed_are_not_deleted on parking.availabilities is
  'Cannot delete a claimed availability';
