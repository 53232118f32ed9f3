create or replace view reporting.claims as
  select c.id,
         c.spot_id,
         s.spot_number,
         s.building_section,
         c.owner_id,
         c.claimer_id,
         c.status,
         c.start_time,
         c.end_time,
         c.created_at,
         private.hours(tstzrange(c.created_at, greatest(c.start_time, c.created_at))) as lead_hours,
         private.hours(tstzrange(c.start_time, c.end_time)) as duration_hours,
         -- A closed claim stays as it is (claims_closed_stay_closed).
         case when c.status <> 'active' then c.updated_at end as closed_at,
         c.cancelled_by,
         c.availability_id
    from parking.claims c
    join parking.spots s on s.id = c.spot_id;

comment on view reporting.claims is
  'One row for each claim that was not deleted.';
comment on column reporting.claims.id is
  'The claim.';
comment on column reporting.claims.spot_id is
  'The claimed spot.';
comment on column reporting.claims.spot_number is
  'The number on the ground.';
comment on column reporting.claims.building_section is
  'Section or location of the spot.';
comment on column reporting.claims.owner_id is
  'The owner of the spot; a key to count by, not a name.';
comment on column reporting.claims.claimer_id is
  'The resident who claimed; a key to count by, not a name.';
comment on column reporting.claims.status is
  'active, completed or cancelled.';
comment on column reporting.claims.start_time is
  'The first moment of the parking session.';
comment on column reporting.claims.end_time is
  'The first moment after the parking session.';
comment on column reporting.claims.created_at is
  'When the claim was made.';
comment on column reporting.claims.lead_hours is
  'How long before its start the claim was made.';
comment on column reporting.claims.duration_hours is
  'How long the parking session is.';
comment on column reporting.claims.closed_at is
  'When it was completed or cancelled; null while it is active.';
comment on column reporting.claims.cancelled_by is
  'The account that cancelled it, the claimer or an administrator; null for the owner of the database, and unless it is cancelled.';
comment on column reporting.claims.availability_id is
  'The window that it takes, by its id in reporting.availabilities.';
grant select on reporting.claims to parking_reporter;
