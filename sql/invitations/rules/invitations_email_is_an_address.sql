alter table parking.invitations
  drop constraint if exists invitations_email_is_an_address,
  add constraint invitations_email_is_an_address
    check (private.is_one_line(email, 3, 320) and private.is_invited_email(email, status));

comment on constraint invitations_email_is_an_address on parking.invitations is
  E'@field email\n@de Das ist keine E-Mail-Adresse mit höchstens 320 Zeichen.\nemail must be an address of at most 320 characters';
