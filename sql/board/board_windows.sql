/* All at once, where the list needs a page for each 200: the page shows a week of a whole building. */
create or replace function api.board_windows("from" timestamptz, until timestamptz)
  returns setof parking.availabilities
  language plpgsql
  stable
  security invoker
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
