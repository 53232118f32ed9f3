/* The owner may be suspended while somebody claims, and the claimer too: then one waits for the other. */
create or replace function private.enforce_approved_owner()
  returns trigger
  language plpgsql
  security definer -- locks a profile that the claimer may not see
  set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    -- Locked, not only read: a suspension or an erasure under way ends first, and a later one waits
    -- for this claim. An UPDATE has locked the claim already: private.keep_spot_of_claim did it before.
    perform
       from parking.profiles p
      where p.id in (new.owner_id, new.claimer_id)
      order by p.id
        for share;
  elsif new.start_time >= old.start_time and new.end_time <= old.end_time then
    return new; -- it takes no more time
  end if;

  -- No row where there is no such owner: another rule refuses that.
  if exists (select from parking.profiles p where p.id = new.owner_id and not p.is_approved) then
    perform private.refuse(tg_name, tg_argv[0]);
  end if;
  return new;
end;
$$;

comment on function private.enforce_approved_owner is
  'Trigger function: nobody claims a window, or more of it, whose owner is not approved.';
