create or replace function private.spans(times tstzmultirange)
  returns jsonb
  language sql
  stable
  parallel safe
return (
  select coalesce(
           jsonb_agg(
             jsonb_build_object(
               'start_time', private.iso8601(lower(t)),
               'end_time', private.iso8601(upper(t))
             )
             order by t
           ),
           '[]'
         )
    from unnest(times) t
);

comment on function private.spans is
  'Times as they go out: [{ start_time, end_time }], by start.';
grant execute on function private.spans to parking_api;
