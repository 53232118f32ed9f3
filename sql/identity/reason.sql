/* Why an administrator acts on what belongs to another resident. Policies let them only with a reason. */
create or replace function private.reason()
  returns text
  language sql
  stable
  parallel safe
return case
  -- Not null, so that nobody without a reason is looked up: "and" goes on after null.
  when coalesce(current_setting('request.reason', true), '') <> '' and private.is_administrator()
    then current_setting('request.reason', true)
end;

comment on function private.reason is
  'The reason that an administrator gave in this transaction (setting request.reason); null for everybody else.';
grant execute on function private.reason to parking_api;
