alter table parking.keys
  drop constraint if exists keys_expire_within_ten_years,
  add constraint keys_expire_within_ten_years
    check (expires_at > created_at and expires_at <= created_at + interval '3653 days');

comment on constraint keys_expire_within_ten_years on parking.keys is
  E'@field expires_at\n@de Das Ende muss in der Zukunft liegen, höchstens zehn Jahre von heute.\nexpires_at must be in the future, ten years from now at most';
