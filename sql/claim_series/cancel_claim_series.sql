create or replace function api.cancel_claim_series(
    id uuid,
    status text, -- only cancelled, as the contract says
    first_day date default null,
    out series_id uuid,
    out cancelled_claim_ids uuid[]
)
  language plpgsql
  set search_path = ''
as $$
begin
  perform private.require_claim_series(cancel_claim_series.id);
  series_id := cancel_claim_series.id;
  perform private.keep_spots(
    array(
      select c.spot_id
        from parking.claims c
       where c.series_id = cancel_claim_series.id
         and c.claimer_id = (select private.caller_id())
    ),
    to_claim => false
  );

  with cancelled as (
    update parking.claims c
       set status = cancel_claim_series.status
     where c.series_id = cancel_claim_series.id
       and c.claimer_id = (select private.caller_id())
       and c.status = 'active'
       and c.start_time >= greatest(clock_timestamp(), private.midnight(cancel_claim_series.first_day))
    returning c.id, c.start_time
  )
  select coalesce(array_agg(d.id order by d.start_time), '{}')
    into cancelled_claim_ids
    from cancelled d;
end;
$$;

comment on function api.cancel_claim_series is
  'Cancel those of your claims of a series that have not begun, from a day on where one is given';
grant execute on function api.cancel_claim_series to parking_api;

