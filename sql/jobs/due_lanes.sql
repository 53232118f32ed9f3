/* It looks at each lane by the index, and in it at jobs until one is due. */
create or replace function private.due_lanes()
  returns text[]
  language plpgsql
  volatile
  security definer -- the API role has no access to the jobs
  set search_path = ''
as $$
begin
  perform private.require_service();

  return array(
    with recursive lanes (lane) as (
      select min(j.lane)
        from private.jobs j
       where j.ended_at is null
      union all
      select (select min(j.lane) from private.jobs j where j.ended_at is null and j.lane > l.lane)
        from lanes l
       where l.lane is not null
    )
    select l.lane
      from lanes l
     where exists (
       select
         from private.jobs j
        where j.lane = l.lane
          and j.ended_at is null
          and private.is_due(j.run_at, j.pause)
     )
  );
end;
$$;

comment on function private.due_lanes is
  'The lanes in which a job is due.';
grant execute on function private.due_lanes to parking_api;
