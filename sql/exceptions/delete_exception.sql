create or replace function api.delete_exception(
    id uuid,
    out message text,
    out deleted_exception_id uuid
)
  language plpgsql
  volatile
  security invoker -- what is published again is published as by its owner, so every rule binds
  set search_path = ''
as $$
declare
  v_exception parking.exceptions;
  v_taken jsonb;
  v_offered jsonb;
begin
  perform private.lock_spots_of_exception(delete_exception.id);
  perform private.require_approved();

  select jsonb_agg(o) into v_offered
    from (
      select w.spot_id, range_agg(w.during) as times
        from private.shared_windows(delete_exception.id) w
       group by w.spot_id
    ) o;
  perform private.withdraw_shared(delete_exception.id);
  select jsonb_agg(t) into v_taken from private.taken_times(delete_exception.id) t;

  delete from parking.exceptions e
   where e.id = delete_exception.id
  returning * into v_exception;

  if v_exception.id is null then
    perform private.refuse_absent('exceptions');
  end if;

  perform private.publish_left_days(v_exception);
  perform private.restore_kept(v_taken);
  -- Only what was on offer until now, or never was: what was withdrawn by hand stays withdrawn.
  perform private.share_again(o.spot_id, o.times)
     from jsonb_to_recordset(v_offered) o (spot_id uuid, times tstzmultirange);
  if v_exception.kind = 'keep' then
    perform private.share_again(
      v_exception.spot_id,
      tstzmultirange(tstzrange(v_exception.start_time, v_exception.end_time)),
      newer_than => v_exception.id
    );
  end if;

  message := 'Exception deleted successfully';
  deleted_exception_id := delete_exception.id;
end;
$$;

comment on function api.delete_exception is
  'Delete an exception, and undo what it did where nobody has claimed since';
grant execute on function api.delete_exception to parking_api;
