/* The sections that spots are in, and those that still have limits. */
create or replace view parking.sections
  with (security_invoker)
as
  select building_section,
         coalesce(s.total_spots, 0) as total_spots,
         l.longest_window_days,
         l.horizon_days,
         l.shortest_claim_minutes,
         l.longest_claim_minutes,
         l.claim_notice_minutes,
         l.cancellation_cutoff_minutes,
         l.most_active_claims
    from (
      select o.building_section, count(*)::integer as total_spots
        from parking.spots o
       where o.retired_at is null
       group by o.building_section
    ) s
    full join parking.section_limits l using (building_section)
   where s.total_spots > 0
      or num_nonnulls(
           l.longest_window_days, l.horizon_days, l.shortest_claim_minutes, l.longest_claim_minutes,
           l.claim_notice_minutes, l.cancellation_cutoff_minutes, l.most_active_claims
         ) > 0;

comment on view parking.sections is
  E'@absent Section not found\n@primaryKey building_section\nA part of the building: its number of spots, and the limits that are not those of the building.';
comment on column parking.sections.building_section is
  'The section, as its spots name it.';
comment on column parking.sections.total_spots is
  'How many spots are in it.';
comment on column parking.sections.longest_window_days is
  'How long a window may last, in calendar days. Null: the limit of the building.';
comment on column parking.sections.horizon_days is
  'How far ahead windows and claims may end, in calendar days. Null: the limit of the building.';
comment on column parking.sections.shortest_claim_minutes is
  'How long a claim lasts at least. Null: the limit of the building.';
comment on column parking.sections.longest_claim_minutes is
  'How long a claim lasts at most. Null: the limit of the building.';
comment on column parking.sections.claim_notice_minutes is
  'How long before its start a claim is made at the latest. Null: the limit of the building.';
comment on column parking.sections.cancellation_cutoff_minutes is
  'How long before its start a claim can be cancelled, deleted or moved at the latest. Null: the limit of the building.';
comment on column parking.sections.most_active_claims is
  'How many claims in this section that have not ended a resident may have, completed ones included; those of the building do not count then. Null: counted with the building''s.';
grant select on parking.sections to parking_api;
