create or replace function private.require_claim_series(id uuid)
  returns void
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  if not exists (select from api.get_claim_series(require_claim_series.id)) then
    perform private.refuse_absent('claims');
  end if;
end;
$$;

comment on function private.require_claim_series is
  'Refuses where the caller has made no claim of this series.';
grant execute on function private.require_claim_series to parking_api;

create or replace function api.get_claim_series(id uuid)
  returns setof parking.claims
  language sql
  stable
as $$
  select c.*
    from parking.claims c
   where c.series_id = get_claim_series.id
     and c.claimer_id = (select private.caller_id())
   order by c.start_time, c.id
$$;

comment on function api.get_claim_series is
  'The claims that you made as one series, cancelled ones too, first start first';
grant execute on function api.get_claim_series to parking_api;
