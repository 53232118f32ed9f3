create or replace function api.remove_spot(
    id uuid,
    reason text,
    out message text,
    out deleted_spot_id uuid
)
  language plpgsql
  set search_path = ''
as $$
begin
  perform private.require_administrator();
  perform private.give_reason(remove_spot.reason);

  select d.message, d.deleted_spot_id
    into remove_spot.message, remove_spot.deleted_spot_id
    from api.delete_spot(remove_spot.id) d;
end;
$$;

comment on function api.remove_spot is
  'Remove a resident''s spot, with a reason that they read; what is over stays with those who claimed it';
grant execute on function api.remove_spot to parking_api;
