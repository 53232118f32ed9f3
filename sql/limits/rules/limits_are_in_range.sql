alter table parking.limits
  drop constraint if exists limits_are_in_range,
  add constraint limits_are_in_range
    check (
      least(
        longest_window_days, horizon_days, shortest_claim_minutes, longest_claim_minutes,
        claim_notice_minutes, cancellation_cutoff_minutes, most_active_claims
      ) >= 1
      and greatest(longest_window_days, horizon_days) <= 36500
      and greatest(
        shortest_claim_minutes, longest_claim_minutes,
        claim_notice_minutes, cancellation_cutoff_minutes
      ) <= 525600
      and most_active_claims <= 1000
    );

comment on constraint limits_are_in_range on parking.limits is
  E'@de Eine Grenze ist 1 oder mehr: höchstens 100 Jahre im Voraus, ein Jahr für eine Reservierung und 1000 Reservierungen.\nA limit is 1 or more: at most 36500 days, 525600 minutes and 1000 claims';
