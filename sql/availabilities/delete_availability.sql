create or replace function api.delete_availability(
    id uuid,
    out message text,
    out deleted_availability_id uuid
)
  language plpgsql
  volatile
  security invoker
  set search_path = ''
as $$
declare
  v_deleted parking.availabilities;
begin
  perform private.lock_spot_of_window(delete_availability.id);

  delete from parking.availabilities a
   where a.id = delete_availability.id
  returning a.* into v_deleted;

  if not found then
    perform private.refuse_unchanged(
      'availabilities', 'availabilities_deleted_by_spot_owner',
      exists (select from parking.availabilities a where a.id = delete_availability.id)
    );
  end if;

  if v_deleted.pattern_id is not null then
    perform private.leave_out(v_deleted.pattern_id, v_deleted.pattern_day, v_deleted.during);
  end if;

  message := 'Availability deleted successfully';
  deleted_availability_id := delete_availability.id;
end;
$$;

comment on function api.delete_availability is
  'Withdraw a window of your spot that nobody has claimed';
grant execute on function api.delete_availability to parking_api;
