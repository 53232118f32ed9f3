create or replace trigger invitations_spot_is_invited_once
  after insert on parking.invitations
  for each row
  when (new.spot_keys <> '{}')
  execute function private.enforce_spot_is_invited_once();

comment on trigger invitations_spot_is_invited_once on parking.invitations is
  E'@status 409\n@field spots\n@de Ein Stellplatz dieser Liste steht schon in einer Einladung.\nA parking spot can be in one open invitation, and once';
