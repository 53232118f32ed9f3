create or replace function api.count_claims(
    status text default null,
    start_date timestamptz default null,
    end_date timestamptz default null
)
  returns bigint
  language sql
  stable
  security invoker
return case
  when private.is_administrator()
    then private.total_claims(count_claims.status, count_claims.start_date, count_claims.end_date)
  else private.total_own_claims(
    count_claims.status,
    count_claims.start_date,
    count_claims.end_date
  )
end;

comment on function api.count_claims is
  'How many claims you made and how many are on your spots (administrators: all); exact, and as fast with millions of them';
grant execute on function api.count_claims to parking_api;
