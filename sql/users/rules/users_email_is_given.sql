/* The constraint itself is part of the table. */
comment on constraint users_email_is_given on private.users is
  E'@de Ihre Anmeldung hat keine E-Mail-Adresse. Wer den Anmeldedienst betreibt, kann sie ergänzen.\nThe token carries no email address';
