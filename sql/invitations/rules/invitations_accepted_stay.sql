create or replace trigger invitations_accepted_stay
  before delete on parking.invitations
  for each row
  when (
    old.status = 'accepted'
    and row_security_active('parking.invitations') -- binds people, not the owner of the table
  )
  execute function private.enforce_rule();

comment on trigger invitations_accepted_stay on parking.invitations is
  E'@status 409\n@de Diese Einladung wurde angenommen. Nehmen Sie stattdessen die Freigabe des Kontos zurück.\nThis invitation was accepted; take the approval of the account back instead';
