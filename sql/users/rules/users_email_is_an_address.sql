alter table private.users
  drop constraint if exists users_email_is_an_address,
  add constraint users_email_is_an_address
    check (private.is_one_line(email, 3, 320) and email like '_%@%_');

comment on constraint users_email_is_an_address on private.users is
  E'@field email\n@de Ihre Anmeldung hat keine E-Mail-Adresse, die sich verwenden lässt.\nemail must be an address of at most 320 characters';
