create or replace function api.get_dashboard()
  returns json
  language plpgsql
  stable
  security invoker
  set search_path = ''
as $$
declare
  v_caller_id constant uuid := private.caller_id();
begin
  perform private.require_approved();

  return json_build_object(
    'stats', json_build_object(
      'total_spots', (
        select count(*) from parking.spots s where s.owner_id = v_caller_id
      ),
      'active_spots', (
        -- Windows of one spot do not overlap: each spot counts once.
        select count(*)
          from parking.availabilities a
         where a.owner_id = v_caller_id
           and a.start_time <= now()
           and a.end_time > now()
      ),
      'total_claims', (
        select count(*) from parking.claims c where c.claimer_id = v_caller_id
      ),
      'active_claims', (
        select count(*)
          from parking.claims c
         where c.claimer_id = v_caller_id
           and c.status = 'active'
      )
    ),
    'recent_spots', coalesce(
      (
        select json_agg(
            json_build_object(
              'id', s.id,
              'spot_number', s.spot_number,
              'building_section', s.building_section,
              'is_verified', s.is_verified,
              'created_at', private.iso8601(s.created_at)
            )
            order by s.created_at desc, s.id desc
          )
          from (
            select *
              from parking.spots own
             where own.owner_id = v_caller_id
             order by own.created_at desc, own.id desc
             limit 5
          ) s
      ),
      '[]'
    ),
    'recent_claims', coalesce(
      (
        select json_agg(
            json_build_object(
              'id', c.id,
              'spot_id', c.spot_id,
              'start_time', private.iso8601(c.start_time),
              'end_time', private.iso8601(c.end_time),
              'status', c.status
            )
            order by c.created_at desc, c.id desc
          )
          from (
            select *
              from parking.claims own
             where own.claimer_id = v_caller_id
             order by own.created_at desc, own.id desc
             limit 5
          ) c
      ),
      '[]'
    )
  );
end;
$$;

comment on function api.get_dashboard is
  'Your statistics and your newest spots and claims';
grant execute on function api.get_dashboard to parking_api;
