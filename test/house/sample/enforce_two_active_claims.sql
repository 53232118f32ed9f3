/* A count needs every active claim of a person, so no check or index can hold it. */
create or replace function private.enforce_two_active_claims()
  returns trigger
  language plpgsql
  security definer -- the caller may not lock profiles
  set search_path = ''
as $$
begin
  -- Two claims at once by one person: the second waits here, and then counts the first.
  perform from parking.profiles p where p.id = new.claimer_id for no key update;
  if (select count(*) > 2
        from parking.claims c
       where c.claimer_id = new.claimer_id
         and c.status = 'active') then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

comment on function private.enforce_two_active_claims is
  'Trigger function of the rule claims_two_active_at_most.';
