alter table parking.limits
  drop constraint if exists limits_shortest_claim_within_longest,
  add constraint limits_shortest_claim_within_longest
    check (shortest_claim_minutes <= longest_claim_minutes);

comment on constraint limits_shortest_claim_within_longest on parking.limits is
  E'@de Die kürzeste Reservierung darf nicht länger als die längste sein.\nshortest_claim_minutes must not be more than longest_claim_minutes';
