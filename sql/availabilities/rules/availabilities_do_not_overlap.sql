alter table parking.availabilities
  drop constraint if exists availabilities_do_not_overlap,
  add constraint availabilities_do_not_overlap
    -- The window first: reports look windows up by time alone.
    exclude using gist (during with &&, spot_id with =);

comment on constraint availabilities_do_not_overlap on parking.availabilities is
  'Availability overlaps an existing availability of this spot';
