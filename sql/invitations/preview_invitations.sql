/* It does what POST does, and takes it back: so the same rules judge. */
create or replace function api.preview_invitations(
    invitations jsonb,
    out invited integer,
    out accepted integer
)
  language plpgsql
  set search_path = ''
as $$
begin
  select i.invited, i.accepted
    into preview_invitations.invited, preview_invitations.accepted
    from api.create_invitations(preview_invitations.invitations) i;
  raise sqlstate 'PT001'; -- undoes all of it, except the numbers
exception
  when sqlstate 'PT001' then -- PT000 would catch every refusal too
    null;
end;
$$;

comment on function api.preview_invitations is
  'What would become of a list of invitations: it is refused as POST /admin/invitations refuses it, and nobody is invited';
grant execute on function api.preview_invitations to parking_api;
