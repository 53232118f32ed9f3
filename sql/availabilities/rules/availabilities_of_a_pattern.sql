-- Claimed windows outlive their pattern. spot_id comes first: an index of windows begins with it.
alter table parking.availabilities
  drop constraint if exists availabilities_of_a_pattern,
  add constraint availabilities_of_a_pattern
    foreign key (spot_id, pattern_id)
    references parking.patterns (spot_id, id)
    on delete set null (pattern_id);

comment on constraint availabilities_of_a_pattern on parking.availabilities is
  E'@status 404\nPattern not found';
