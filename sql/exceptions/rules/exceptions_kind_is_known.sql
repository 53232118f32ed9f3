alter table parking.exceptions
  drop constraint if exists exceptions_kind_is_known,
  add constraint exceptions_kind_is_known
    check (kind in ('keep', 'share'));

comment on constraint exceptions_kind_is_known on parking.exceptions is
  E'@field kind\n@de Sagen Sie, ob Sie den Stellplatz brauchen oder weg sind.\nkind must be keep or share';
