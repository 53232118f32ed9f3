create or replace function api.update_profile_flags(
    id uuid,
    is_approved boolean default null,
    is_admin boolean default null,
    rejection_reason text default null,
    is_suspended boolean default null,
    is_concierge boolean default null
)
  returns parking.profiles
  language plpgsql
  set search_path = ''
as $$
declare
  v_profile parking.profiles;
begin
  perform private.require_administrator();

  if update_profile_flags.rejection_reason <> '' then
    perform private.give_reason(update_profile_flags.rejection_reason);
  end if;

  -- Null leaves a field as it is; an empty text clears the reason.
  update parking.profiles p
     set is_approved = coalesce(update_profile_flags.is_approved, p.is_approved),
         is_admin = coalesce(update_profile_flags.is_admin, p.is_admin),
         is_concierge = coalesce(update_profile_flags.is_concierge, p.is_concierge),
         rejection_reason =
           nullif(coalesce(update_profile_flags.rejection_reason, p.rejection_reason), '')
   where p.id = update_profile_flags.id
  returning * into v_profile;

  if not found then
    perform private.refuse_unchanged('profiles');
  end if;

  -- After private.note_suspension: who approved by mistake lets the account wait again.
  if v_profile.is_suspended and not update_profile_flags.is_suspended then
    update parking.profiles p
       set is_suspended = false
     where p.id = v_profile.id
    returning * into v_profile;
  end if;

  return v_profile;
end;
$$;

comment on function api.update_profile_flags is
  'Approve an account, reject it with a reason, or make an administrator or a concierge; or take that back';
grant execute on function api.update_profile_flags to parking_api;
