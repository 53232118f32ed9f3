/* What exceptions did to a window that is gone, they did to the one in its place. */
create or replace function private.note_restored(gone_id uuid, restored_id uuid)
  returns void
  language plpgsql
  volatile
  security definer -- the API role may not write what undoes an exception
  set search_path = ''
as $$
declare
  v_spot_id uuid;
begin
  select a.spot_id into v_spot_id
    from parking.availabilities a
   where a.id = note_restored.restored_id
     and a.owner_id = (select private.caller_id())
     and not exists (select from parking.availabilities o where o.id = note_restored.gone_id);

  -- Both were parts of a window that one exception published.
  delete from private.exception_changes t
   using private.exception_changes o
   where t.spot_id = v_spot_id
     and t.window_id = note_restored.gone_id
     and o.window_id = note_restored.restored_id
     and (o.exception_id, o.start_time) = (t.exception_id, t.start_time);

  update private.exception_changes t
     set window_id = case t.window_id when gone_id then restored_id else t.window_id end,
         rest_id = case t.rest_id when gone_id then restored_id else t.rest_id end
   where t.spot_id = v_spot_id
     and gone_id in (t.window_id, t.rest_id);
end;
$$;

comment on function private.note_restored is
  'Notes that a window of the caller is in the place of another that is gone.';
grant execute on function private.note_restored to parking_api;
