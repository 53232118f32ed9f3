create or replace function api.delete_invitation(
    id uuid,
    out message text,
    out deleted_invitation_id uuid
)
  language plpgsql
  set search_path = ''
as $$
begin
  delete from parking.invitations i
   where i.id = delete_invitation.id;

  if not found then
    perform private.refuse_unchanged('invitations');
  end if;

  message := 'Invitation deleted successfully';
  deleted_invitation_id := delete_invitation.id;
end;
$$;

comment on function api.delete_invitation is
  'Take an invitation back that nobody has accepted';
grant execute on function api.delete_invitation to parking_api;
