create or replace function api.delete_pattern(
    id uuid,
    out message text,
    out deleted_pattern_id uuid,
    out claimed_availability_ids uuid[]
)
  language plpgsql
  set search_path = ''
as $$
begin
  perform private.lock_own_spots();
  perform private.require_approved();

  claimed_availability_ids := array(
    select a.id
      from parking.patterns p
      join parking.availabilities a on a.spot_id = p.spot_id and a.source_id = p.id
     where p.id = delete_pattern.id
       and a.end_time > clock_timestamp()
       and private.is_held(a.id)
     order by a.start_time
  );
  delete from parking.patterns p
   where p.id = delete_pattern.id;

  if not found then
    perform private.refuse_absent('patterns');
  end if;

  message := 'Pattern deleted successfully';
  deleted_pattern_id := delete_pattern.id;
end;
$$;

comment on function api.delete_pattern is
  'End a pattern: its windows that nobody has claimed are withdrawn, those that are claimed stay, and are named';
grant execute on function api.delete_pattern to parking_api;
