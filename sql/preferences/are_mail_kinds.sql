/* A function for the reason that private.is_event_type has. */
create or replace function private.are_mail_kinds(kinds text[])
  returns boolean
  language plpgsql
  immutable
  parallel safe
  set search_path = ''
as $$
begin
  return coalesce(array_ndims(kinds), 1) = 1 and cardinality(kinds) = (
    select count(distinct k.kind)
      from unnest(kinds) k (kind)
     where private.is_notification_kind(k.kind)
        or k.kind in ('claim.starts', 'claim.ends')
  );
end;
$$;

comment on function private.are_mail_kinds is
  'Whether these are different kinds of mail: those of notifications, and reminders.';
grant execute on function private.are_mail_kinds to parking_api;
