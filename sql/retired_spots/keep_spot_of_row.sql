/*
 * Nothing more is made or changed about a spot that is retired: it is as gone as one that was deleted, and foreign keys
 * find it. Of new claims, windows and patterns private.keep_spot and private.lock_spot see to that.
 */
create or replace function private.keep_spot_of_row()
  returns trigger
  language plpgsql
  security definer -- the spot may belong to another resident
  set search_path = ''
as $$
declare
  v_spot_id constant uuid := case tg_op when 'DELETE' then old.spot_id else new.spot_id end;
begin
  -- A removal of the spot under way ends first. But it may wait for a window that is being moved.
  if tg_op = 'INSERT' then
    perform from parking.spots s where s.id = v_spot_id for key share;
  end if;
  perform private.require_spot(
    exists (select from parking.spots s where s.id = v_spot_id and s.retired_at is null),
    tg_argv[0]
  );
  return null;
end;
$$;

comment on function private.keep_spot_of_row is
  'Trigger function: refuses a row about a spot that is retired, under the rule that the argument names.';

create or replace trigger keep_spot
  after insert on parking.exceptions
  for each row
  when (new.spot_id is not null)
  execute function private.keep_spot_of_row('exceptions_of_a_spot');

create or replace trigger keep_spot
  after insert on parking.wishes
  for each row
  when (new.spot_id is not null)
  execute function private.keep_spot_of_row('wishes_of_a_spot');

create or replace trigger keep_spot
  after insert on parking.spot_reports
  for each row
  execute function private.keep_spot_of_row('spot_reports_of_a_spot');

create or replace trigger keep_spot
  after insert on parking.spot_access
  for each row
  execute function private.keep_spot_of_row('spot_access_of_a_spot');

-- A window of the past is not moved into the future, and what was claimed of it stays.
create or replace trigger keep_spot
  after delete or update of start_time, end_time on parking.availabilities
  for each row
  when (row_security_active('parking.availabilities')) -- binds people, not the owner of the table
  execute function private.keep_spot_of_row('availabilities_of_a_spot');
