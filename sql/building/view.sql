create or replace view parking.buildings
  with (security_invoker)
as
  select b.id,
         b.name,
         b.time_zone,
         l.longest_window_days,
         l.horizon_days,
         l.shortest_claim_minutes,
         l.longest_claim_minutes,
         l.claim_notice_minutes,
         l.cancellation_cutoff_minutes,
         l.most_active_claims,
         b.created_at,
         greatest(b.updated_at, l.updated_at) as updated_at,
         b.pattern_days,
         b.rest_stays_on_offer,
         b.offer_minutes,
         b.event_days,
         b.notification_days,
         b.job_days,
         b.mail,
         b.language,
         b.remind_minutes,
         b.grace_minutes,
         b.mark,
         b.colour,
         b.gate_minutes,
         b.passage_days,
         b.session_days
    from parking.building b
    left join parking.limits l on l.building_section is null;

comment on view parking.buildings is
  E'@absent Building not found\n@primaryKey id\nThe building, one row: its name, its time zone and its limits.';
grant select on parking.buildings to parking_api;
