alter table parking.section_limits
  drop constraint if exists section_limits_shortest_claim_within_longest,
  add constraint section_limits_shortest_claim_within_longest
    check (shortest_claim_minutes <= longest_claim_minutes);

comment on constraint section_limits_shortest_claim_within_longest on parking.section_limits is
  'shortest_claim_minutes must not be more than longest_claim_minutes';
