/* A foreign key finds a spot that is retired too: what locks the spot of a new row refuses that in its name. */
create or replace function private.require_spot(is_found boolean, rule text)
  returns void
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  if not require_spot.is_found then
    if private.caller_id() is not null then -- not where the owner of the database writes
      perform private.require_approved(); -- still, after all the waiting
    end if;
    perform private.refuse(require_spot.rule, '23503');
  end if;
end;
$$;

comment on function private.require_spot is
  'Fails under this rule, a foreign key, where there is no such spot or it is retired.';
