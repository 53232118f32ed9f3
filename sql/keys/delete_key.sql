create or replace function api.delete_key(
    id uuid,
    out message text,
    out deleted_key_id uuid
)
  language plpgsql
  set search_path = ''
as $$
begin
  delete from parking.keys k
   where k.id = delete_key.id;

  if not found then
    perform private.refuse_unchanged('keys');
  end if;

  message := 'Key deleted successfully';
  deleted_key_id := delete_key.id;
end;
$$;

comment on function api.delete_key is
  'Withdraw a key: it ends at once';
grant execute on function api.delete_key to parking_api;
