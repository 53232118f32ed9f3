alter table parking.building
  drop constraint if exists building_shortest_claim_within_longest,
  add constraint building_shortest_claim_within_longest
    check (shortest_claim_minutes <= longest_claim_minutes);

comment on constraint building_shortest_claim_within_longest on parking.building is
  'shortest_claim_minutes must not be more than longest_claim_minutes';
