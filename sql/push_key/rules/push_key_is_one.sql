create unique index if not exists push_key_is_one on private.push_key ((true));

comment on index private.push_key_is_one is
  'There is one key of pushes';
