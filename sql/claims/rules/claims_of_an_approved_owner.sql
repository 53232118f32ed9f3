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

create or replace trigger claims_of_an_approved_owner
  before insert or update of start_time, end_time on parking.claims
  for each row
  when (row_security_active('parking.claims')) -- binds people, not the owner of the table
  execute function private.enforce_approved_owner('42501');

comment on trigger claims_of_an_approved_owner on parking.claims is
  E'@de Das Konto der Person, der der Stellplatz gehört, ist zurzeit nicht freigegeben. Darum lässt er sich nicht reservieren.\nThe owner of this parking spot is not approved';
