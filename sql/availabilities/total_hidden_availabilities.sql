/* Residents do not see the free windows of suspended owners. */
create or replace function private.total_hidden_availabilities(
    start_date timestamptz,
    end_date timestamptz
)
  returns bigint
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  return (
    select count(*)
      from parking.availabilities a
     where a.owner_id = any ((select private.suspended_owners())::uuid[])
       and not a.is_claimed
       and not a.is_hidden
       and a.start_time >= coalesce(total_hidden_availabilities.start_date, '-infinity')
       and a.start_time < coalesce(total_hidden_availabilities.end_date, 'infinity')
       and a.end_time < coalesce(total_hidden_availabilities.end_date, 'infinity')
  );
end;
$$;

comment on function private.total_hidden_availabilities is
  'How many windows only administrators see: those of suspended owners that are not claimed.';
