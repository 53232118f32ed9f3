create unique index if not exists mail_key_is_one on private.mail_key ((true));

comment on index private.mail_key_is_one is
  'There is one key of mails';
