alter table parking.building
  drop constraint if exists building_gate_is_in_range,
  add constraint building_gate_is_in_range
    check (
      gate_minutes >= 0
      and gate_minutes <= 240
      and passage_days >= 0
      and passage_days <= 90
    );

comment on constraint building_gate_is_in_range on parking.building is
  E'@de Die Kulanz an der Schranke ist 0 bis 240 Minuten; Durchfahrten werden 0 bis 90 Tage aufbewahrt.\ngate_minutes are 0 to 240, passage_days 0 to 90';
