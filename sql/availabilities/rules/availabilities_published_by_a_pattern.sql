-- Its name comes after availabilities_of_a_spot, which is checked first also where a dump was restored:
-- pg_restore makes foreign keys by name.
-- Claimed windows outlive their pattern. spot_id comes first: an index of windows begins with it.
alter table parking.availabilities
  drop constraint if exists availabilities_published_by_a_pattern,
  add constraint availabilities_published_by_a_pattern
    foreign key (spot_id, pattern_id)
    references parking.patterns (spot_id, id)
    on delete set null (pattern_id);

comment on constraint availabilities_published_by_a_pattern on parking.availabilities is
  E'@status 404\n@de Diese wöchentlichen Zeiten gibt es nicht mehr.\nPattern not found';
