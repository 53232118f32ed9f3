drop policy if exists key_scope_required on parking.keys;
create policy key_scope_required on parking.keys
  as restrictive to parking_api
  using ((select private.key_id()) is null);

comment on policy key_scope_required on parking.keys is
  E'@de Dieser Schlüssel darf das nicht.\nThis key may not do that';
