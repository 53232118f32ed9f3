alter table parking.profiles
  drop constraint if exists profiles_email_is_the_users,
  add constraint profiles_email_is_the_users
    foreign key (id, email)
    references private.users (id, email)
    on update cascade;

comment on constraint profiles_email_is_the_users on parking.profiles is
  E'@status 409\n@de Die E-Mail-Adresse ist die, mit der Sie sich anmelden.\nThe email address is the one of the sign-in';
