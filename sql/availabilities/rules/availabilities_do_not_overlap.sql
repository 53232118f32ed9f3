alter table parking.availabilities
  drop constraint if exists availabilities_do_not_overlap,
  add constraint availabilities_do_not_overlap
    -- during comes first because reports look up windows by time alone.
    exclude using gist (during with &&, spot_id with =);

comment on constraint availabilities_do_not_overlap on parking.availabilities is
  'Availability overlaps an existing availability of this spot';
