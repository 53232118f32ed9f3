create or replace function api.delete_wish(
    id uuid,
    out message text,
    out deleted_wish_id uuid
)
  language plpgsql
  set search_path = ''
as $$
begin
  delete from parking.wishes w
   where w.id = delete_wish.id;

  if not found then
    perform private.refuse_absent('wishes');
  end if;

  message := 'Wish withdrawn successfully';
  deleted_wish_id := delete_wish.id;
end;
$$;

comment on function api.delete_wish is
  'Withdraw your wish';
grant execute on function api.delete_wish to parking_api;
