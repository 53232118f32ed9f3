-- during comes first because reports look up windows by time alone. The spot is there as bytes: for
-- the planner this index would cost as much as one that begins with spot_id, and it takes 100 times
-- as long to find the windows of a spot.
alter table parking.availabilities
  drop constraint if exists availabilities_do_not_overlap,
  add constraint availabilities_do_not_overlap
    exclude using gist (during with &&, uuid_send(spot_id) with =);

comment on constraint availabilities_do_not_overlap on parking.availabilities is
  E'@de Der Stellplatz ist in einem Teil dieser Zeit schon geteilt.\nAvailability overlaps an existing availability of this spot';
