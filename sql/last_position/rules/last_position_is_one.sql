create unique index if not exists last_position_is_one on private.last_position ((true));

comment on index private.last_position_is_one is
  'There is one last position';
