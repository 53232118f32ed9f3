alter table parking.building
  drop constraint if exists building_minutes_are_in_range,
  add constraint building_minutes_are_in_range
    check (least(grace_minutes, offer_minutes) >= 1 and greatest(grace_minutes, offer_minutes) <= 525600);

comment on constraint building_minutes_are_in_range on parking.building is
  'grace_minutes and offer_minutes are 1 to 525600, a year';
