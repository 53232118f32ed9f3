/* The key itself is part of the table: other tables refer to it. */
comment on constraint profiles_one_per_user on parking.profiles is
  E'@status 409\n@de Sie sind schon registriert.\nUser profile already exists';
