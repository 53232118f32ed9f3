/*
 * The past windows of a retired spot stay: nobody moves them into the future, or deletes them with their claims.
 * It takes no lock, because the removal of the spot may wait for a window that is being moved.
 */
create or replace function private.keep_window()
  returns trigger
  language plpgsql
  security definer -- must see the spot, whatever the policies show the caller
  set search_path = ''
as $$
begin
  if exists (select from parking.spots s where s.id = old.spot_id and s.retired_at is not null) then
    perform private.refuse_absent('availabilities');
  end if;
  return null;
end;
$$;

comment on function private.keep_window is
  'Trigger function: a window of a retired spot is as gone as the spot, for who would change it.';

create or replace trigger keep_window
  after delete or update of start_time, end_time on parking.availabilities
  for each row
  when (row_security_active('parking.availabilities')) -- binds people, not the owner of the table
  execute function private.keep_window();
