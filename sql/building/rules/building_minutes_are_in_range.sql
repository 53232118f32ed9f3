alter table parking.building
  drop constraint if exists building_minutes_are_in_range,
  add constraint building_minutes_are_in_range
    check (least(grace_minutes, offer_minutes) >= 1 and greatest(grace_minutes, offer_minutes) <= 525600);

comment on constraint building_minutes_are_in_range on parking.building is
  E'@de Die Minuten der Kulanz und die eines Angebots sind 1 bis 525600, ein Jahr.\ngrace_minutes and offer_minutes are 1 to 525600, a year';
