alter table parking.claims
  drop constraint if exists claims_status_is_known,
  add constraint claims_status_is_known
    check (status in ('active', 'completed', 'cancelled'));

comment on constraint claims_status_is_known on parking.claims is
  E'@field status\n@de Eine Reservierung lässt sich nur beenden oder stornieren.\nstatus must be active, completed or cancelled';
