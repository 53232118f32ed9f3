alter table private.mail_key
  drop constraint if exists mail_key_is_long,
  add constraint mail_key_is_long
    check (octet_length(key) = 32);

comment on constraint mail_key_is_long on private.mail_key is
  'The key of mails has 32 bytes';
