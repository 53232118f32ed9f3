/* The constraint itself is part of the table. */
comment on constraint users_email_is_given on private.users is
  'The token carries no email address';
