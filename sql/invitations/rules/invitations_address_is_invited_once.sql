create unique index if not exists invitations_address_is_invited_once
  on parking.invitations (address)
  where status = 'open';

comment on index parking.invitations_address_is_invited_once is
  E'@field email\n@de Diese Adresse ist schon eingeladen.\nThis address has been invited already';
