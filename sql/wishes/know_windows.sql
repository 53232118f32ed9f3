create or replace function private.know_windows()
  returns trigger
  language plpgsql
  security definer -- nobody writes what they know
  set search_path = ''
as $$
begin
  insert into private.known_windows (wish_id, availability_id)
  select f.wish_id, f.availability_id
    from private.fitting_windows f
   where f.wish_id = new.id;
  return null;
end;
$$;

comment on function private.know_windows is
  'Trigger function: notes the windows that who asks sees.';

create or replace trigger know_windows
  after insert on parking.wishes
  for each row
  execute function private.know_windows();
