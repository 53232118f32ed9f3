alter table private.address_changes
  drop constraint if exists address_changes_to_a_mailbox,
  add constraint address_changes_to_a_mailbox
    check (private.is_one_line(new_address, 3, 320) and private.is_invited_email(new_address, 'open'));

comment on constraint address_changes_to_a_mailbox on private.address_changes is
  E'@field email\n@de Das ist keine E-Mail-Adresse mit höchstens 320 Zeichen.\nemail must be an address of at most 320 characters';
