alter table private.address_changes
  drop constraint if exists address_changes_to_another,
  add constraint address_changes_to_another
    check (new_address <> old_address);

comment on constraint address_changes_to_another on private.address_changes is
  E'@field email\n@de Mit dieser Adresse meldet sich die Person schon an.\nThe person signs in with this address already';
