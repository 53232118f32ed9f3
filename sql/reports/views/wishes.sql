create or replace view reporting.wishes as
  select w.id,
         w.wisher_id,
         coalesce(w.building_section, s.building_section) as building_section,
         w.spot_id,
         w.start_time,
         w.end_time,
         w.created_at,
         private.hours(tstzrange(w.created_at, greatest(w.start_time, w.created_at))) as lead_hours,
         w.claim_id,
         case
           when w.claim_id is not null then 'met'
           when w.start_time > now() then 'open'
           else 'in vain'
         end as outcome
    from parking.wishes w
    left join parking.spots s on s.id = w.spot_id;

comment on view reporting.wishes is
  'One row for each time for which a resident waited for a spot, and did not withdraw the wish.';
comment on column reporting.wishes.id is
  'The wish.';
comment on column reporting.wishes.wisher_id is
  'The resident who waits; a key to count by, not a name.';
comment on column reporting.wishes.building_section is
  'The section in which a spot is wanted; null: in any.';
comment on column reporting.wishes.spot_id is
  'The spot that is wanted; null: any.';
comment on column reporting.wishes.start_time is
  'From when on a spot is wanted.';
comment on column reporting.wishes.end_time is
  'Until when it is wanted.';
comment on column reporting.wishes.created_at is
  'When the resident asked.';
comment on column reporting.wishes.lead_hours is
  'How long before its start the resident asked.';
comment on column reporting.wishes.claim_id is
  'The claim that fulfilled it, by its id in reporting.claims.';
comment on column reporting.wishes.outcome is
  'met, open, or in vain where its start came first.';
grant select on reporting.wishes to parking_reporter;
