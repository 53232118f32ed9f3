/* Until private.stop_acting restores what this returns: no function of api leaves its caller changed. */
create or replace function private.act_for(person_id uuid, reason text)
  returns text
  language plpgsql
  volatile
  security definer -- a concierge does not see whether the person is approved
  set search_path = ''
as $$
declare
  v_claims constant text := current_setting('request.jwt.claims', true);
begin
  perform private.require_approved();
  if not private.is_staff() then
    perform private.refuse('claims_for_others_by_staff');
  end if;
  if not exists (select from parking.profiles p where p.id = act_for.person_id and p.is_approved) then
    perform private.refuse('claims_made_by_a_resident');
  end if;
  -- A rule of the event log checks the rest when the act is recorded.
  if coalesce(act_for.reason, '') = '' then
    perform private.refuse('events_reason_is_one_line', '23514');
  end if;

  perform set_config(
    'request.jwt.claims',
    jsonb_build_object(
      'sub', act_for.person_id,
      'act', jsonb_build_object('sub', private.caller_id(), 'reason', act_for.reason)
    )::text,
    true
  );
  return v_claims;
end;
$$;

comment on function private.act_for is
  'Makes an approved resident the caller, for whom an administrator or concierge acts for this reason. Returns the claims of the actor, for private.stop_acting.';
grant execute on function private.act_for to parking_api;

create or replace function private.stop_acting(claims text, rule text)
  returns void
  language plpgsql
  volatile -- for a new snapshot
  set search_path = ''
as $$
begin
  perform set_config('request.jwt.claims', stop_acting.claims, true);
  if current_setting('transaction_isolation') <> 'read committed' then -- as in private.check_rights
    perform from parking.profiles p where p.id = (select private.caller_id()) for share skip locked;
  end if;
  perform private.require_approved(); -- still, after all the waiting
  if not private.is_staff() then
    perform private.refuse(stop_acting.rule);
  end if;
end;
$$;

comment on function private.stop_acting is
  'The end of private.act_for. Fails under the rule where the actor has lost the right meanwhile.';
grant execute on function private.stop_acting to parking_api;
