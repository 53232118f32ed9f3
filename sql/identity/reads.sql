/* The service sets these members where its settings name a group (AUTH_APPROVED_GROUP, AUTH_ADMIN_GROUP, AUTH_CONCIERGE_GROUP). */
create or replace function private.claimed_by_groups(flag text)
  returns boolean
  language plpgsql
  stable
  parallel safe
  security definer -- the API role has no access to private.users
  set search_path = ''
as $$
declare
  v_claimed constant jsonb := private.token_claims() -> claimed_by_groups.flag;
  v_user private.users;
begin
  if jsonb_typeof(v_claimed) is distinct from 'boolean' then
    return null;
  end if;

  select u.* into v_user
    from private.users u
   where u.id = (select private.caller_id());

  if v_user.erased_at is not null then
    return null; -- whatever the groups say, the account stays closed
  elsif private.is_outdated(v_user.token_issued_at) then
    return (
      select case claimed_by_groups.flag
               when 'is_admin' then p.is_admin
               when 'is_concierge' then p.is_concierge
               else p.is_approved
             end
        from parking.profiles p
       where p.id = v_user.id
    );
  end if;
  return v_claimed;
end;
$$;

comment on function private.claimed_by_groups is
  'For private.decided_by_groups: reads the flag from the claims of the token, or from the profile where a later token has come.';
grant execute on function private.claimed_by_groups to parking_api;

/* Each policy asks, so this is an expression that the planner puts in its place. Mostly nothing is parsed. */
create or replace function private.decided_by_groups(flag text)
  returns boolean
  language sql
  stable
  parallel safe
return case
  when strpos(current_setting('request.jwt.claims', true), '"is_') > 0
    then private.claimed_by_groups(flag)
end;

comment on function private.decided_by_groups is
  'What the groups in the caller''s token say of is_approved, is_admin or is_concierge; null where the identity provider does not decide it, and for an account that was erased.';
grant execute on function private.decided_by_groups to parking_api;

/* The one definition of who is approved and who administers, now that the caller's token has come. */
create or replace function private.flags_by_groups(profile parking.profiles)
  returns table (
    is_approved boolean,
    is_admin boolean,
    is_approved_by_groups boolean,
    is_admin_by_groups boolean
  )
  language sql
  stable
  parallel safe
  rows 1
begin atomic
  -- No subquery, so that the planner puts the one expression that a caller reads in its place.
  select
      coalesce(private.decided_by_groups('is_approved'), profile.is_approved),
      coalesce(private.decided_by_groups('is_admin'), profile.is_admin),
      private.decided_by_groups('is_approved') is not null,
      private.decided_by_groups('is_admin') is not null;
end;

comment on function private.flags_by_groups is
  'The flags of the caller''s profile: as the groups in the token decide them, else as they are stored.';

create or replace function private.is_administrator()
  returns boolean
  language sql
  stable
  parallel safe
  security definer -- the policies of profiles call it; otherwise they would call themselves
  set search_path = ''
return exists (
  select from parking.profiles p
   cross join lateral private.flags_by_groups(p) flags
   where p.id = (select private.caller_id())
     and flags.is_approved
     and flags.is_admin
);

comment on function private.is_administrator is
  'Whether the caller is an approved administrator.';
grant execute on function private.is_administrator to parking_api;

create or replace function private.is_concierge_by_token(profile parking.profiles)
  returns boolean
  language sql
  stable
  parallel safe
return coalesce(private.decided_by_groups('is_concierge'), profile.is_concierge);

comment on function private.is_concierge_by_token is
  'Whether the caller''s profile is a concierge''s: as the groups in the token decide it, else as it is stored.';

/* An administrator may do all that a concierge may. */
create or replace function private.is_staff()
  returns boolean
  language sql
  stable
  parallel safe
  security definer -- a concierge sees no profiles but their own
  set search_path = ''
return exists (
  select from parking.profiles p
   cross join lateral private.flags_by_groups(p) flags
   where p.id = (select private.caller_id())
     and flags.is_approved
     and (flags.is_admin or private.is_concierge_by_token(p))
);

comment on function private.is_staff is
  'Whether the caller is an approved administrator or concierge.';
grant execute on function private.is_staff to parking_api;

/* For policies. Write (select private.is_approved()) there, so that it runs once per statement. */
create or replace function private.is_approved()
  returns boolean
  language sql
  stable
  parallel safe
  security definer -- the policies of profiles call it; otherwise they would call themselves
  set search_path = ''
return exists (
  select from parking.profiles p
   cross join lateral private.flags_by_groups(p) flags
   where p.id = (select private.caller_id())
     and flags.is_approved
);

comment on function private.is_approved is
  'Whether the caller has a profile that is approved: by the groups in the token where these decide, else by an administrator.';
grant execute on function private.is_approved to parking_api;

/* A time that only a clock can have made that ran ahead would outdate all tokens until then. */
create or replace function private.is_outdated(known_issued_at timestamptz)
  returns boolean
  language sql
  stable
  parallel safe
return coalesce(
  private.token_issued_at() < is_outdated.known_issued_at
    and is_outdated.known_issued_at < now() + interval '1 minute',
  false
);

comment on function private.is_outdated is
  'Whether a token of the caller''s came before that was issued later: what this one says is out of date. A token without iat is not.';

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

create or replace function private.actor_id()
  returns uuid
  language sql
  stable
  parallel safe
return coalesce(private.acting_id(), private.caller_id());

comment on function private.actor_id is
  'Who acts: the caller, or who of the staff acts for the caller.';
grant execute on function private.actor_id to parking_api;

create or replace function private.given_reason()
  returns text
  language sql
  stable
  parallel safe
return coalesce(
  private.reason(),
  case
    when strpos(current_setting('request.jwt.claims', true), '"act"') > 0
      then private.act_member('reason')
  end
);

comment on function private.given_reason is
  'Why the actor acts on what belongs to another resident, for the event log and notifications.';
grant execute on function private.given_reason to parking_api;
