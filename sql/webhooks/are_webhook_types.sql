/* Not those of patterns and notifications: administrators do not see what is other people's own. */
create or replace function private.are_webhook_types(types text[])
  returns boolean
  language plpgsql
  immutable
  parallel safe
  set search_path = ''
as $$
begin
  return cardinality(types) > 0
    and array_ndims(types) = 1
    and cardinality(types) = (select count(distinct t.type) from unnest(types) t (type))
    and not exists (
      select
        from unnest(types) t (type)
       where private.is_event_type(t.type) is not true
          or split_part(t.type, '.', 1) not in ('profile', 'spot', 'availability', 'claim', 'report')
    );
end;
$$;

comment on function private.are_webhook_types is
  'Whether these are different types of events that go to webhooks, one at least.';
grant execute on function private.are_webhook_types to parking_api;
