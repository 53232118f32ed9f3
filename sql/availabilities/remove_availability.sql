create or replace function api.remove_availability(
    id uuid,
    reason text,
    out message text,
    out deleted_availability_id uuid
)
  language plpgsql
  set search_path = ''
as $$
begin
  perform private.lock_spot_of_window(remove_availability.id);
  perform private.require_administrator();
  perform private.give_reason(remove_availability.reason);

  select d.message, d.deleted_availability_id
    into remove_availability.message, remove_availability.deleted_availability_id
    from api.delete_availability(remove_availability.id) d;
end;
$$;

comment on function api.remove_availability is
  'Withdraw a resident''s window that nobody has claimed, with a reason that they read';
grant execute on function api.remove_availability to parking_api;
