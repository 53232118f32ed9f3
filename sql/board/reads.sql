create or replace function api.board_claims("from" timestamptz, until timestamptz)
  returns setof parking.claims
  language plpgsql
  stable
  set search_path = ''
as $$
declare
  v_rows bigint;
begin
  return query
    select c.*
      from unnest(array['made', 'received', 'of others']) part
     cross join lateral api.list_claims(part) c
     where c.end_time > board_claims."from"
       and c.start_time >= (select private.claims_open_since(board_claims."from"))
       and c.start_time < board_claims.until
     order by c.start_time, c.id
     limit 10001;

  get diagnostics v_rows = row_count;
  perform row(current_date, current_date + 1, v_rows)::private.reports;
end;
$$;

comment on function api.board_claims is
  'The claims of a period that the caller may see, by start.';
grant execute on function api.board_claims to parking_api;

/* All at once, where the list needs a page for each 200: the page shows a week of a whole building. */
create or replace function api.board_windows("from" timestamptz, until timestamptz)
  returns setof parking.availabilities
  language plpgsql
  stable
  set search_path = ''
as $$
declare
  v_rows bigint;
begin
  return query
    select a.*
      from api.list_availabilities() a
     where a.end_time > board_windows."from"
       and a.start_time >= (select private.open_since(board_windows."from"))
       and a.start_time < board_windows.until
     order by a.start_time, a.id
     limit 10001;

  get diagnostics v_rows = row_count;
  perform row(current_date, current_date + 1, v_rows)::private.reports;
end;
$$;

comment on function api.board_windows is
  'The windows of all spots that touch a period, and the claims on them that you may see';
grant execute on function api.board_windows to parking_api;
