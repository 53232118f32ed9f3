/*
 * Nobody adds rows about a retired spot, although foreign keys would find it. private.keep_spot and
 * private.lock_spot do the same for new claims, windows and patterns.
 */
create or replace function private.keep_spot_of_row()
  returns trigger
  language plpgsql
  security definer -- the spot may belong to another resident
  set search_path = ''
as $$
begin
  perform
     from parking.spots s
    where s.id = new.spot_id
      and s.retired_at is null
      for key share; -- a removal of the spot under way ends first

  perform private.require_spot(found, tg_argv[0]);
  return null;
end;
$$;

-- Triggers run in the order of their names. Those of foreign keys are called RI_ConstraintTrigger_ and a
-- number. This one runs before them, so an account that is no longer approved is refused for that reason.
create or replace trigger "A_keep_spot"
  after insert on parking.exceptions
  for each row
  when (new.spot_id is not null)
  execute function private.keep_spot_of_row('exceptions_of_a_spot');

create or replace trigger "A_keep_spot"
  after insert on parking.wishes
  for each row
  when (new.spot_id is not null)
  execute function private.keep_spot_of_row('wishes_of_a_spot');

create or replace trigger "A_keep_spot"
  after insert on parking.spot_reports
  for each row
  execute function private.keep_spot_of_row('spot_reports_of_a_spot');

create or replace trigger "A_keep_spot"
  after insert on parking.spot_access
  for each row
  execute function private.keep_spot_of_row('spot_access_of_a_spot');

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

create or replace trigger keep_window
  after delete or update of start_time, end_time on parking.availabilities
  for each row
  when (row_security_active('parking.availabilities')) -- binds people, not the owner of the table
  execute function private.keep_window();
