/*
 * The person has registered, and the address is confirmed: the caller has made sure of both. A rule that
 * refuses a spot, or the approval, must not refuse the registration, or nobody could sign in.
 */
create or replace function private.accept_invitation(id uuid, profile_id uuid)
  returns void
  language plpgsql
  security invoker -- for triggers, which act as the owner: no grant to the API role
  set search_path = ''
as $$
declare
  v_claims constant text := current_setting('request.jwt.claims', true);
  -- The groups of the caller's token decide for everybody: nobody is approved against their own.
  v_by_groups constant boolean := private.decided_by_groups('is_approved') is not null;
  v_invitation parking.invitations;
  v_spot jsonb;
  v_id uuid;
  v_rule text;
  v_registered jsonb := '[]'; -- each with its spot_id, or the rule that refused it
begin
  select i.* into v_invitation
    from parking.invitations i
   where i.id = accept_invitation.id
     and i.status = 'open'
     for update; -- it may be deleted at this moment

  if not found then
    return;
  end if;

  -- From here on, the log and the notifications name the administrator who invited.
  perform set_config(
    'request.jwt.claims', jsonb_build_object('sub', v_invitation.inviter_id)::text, true
  );
  update parking.profiles p
     set is_approved = true
   where p.id = accept_invitation.profile_id
     and not p.is_approved
     and not v_by_groups;

  for v_spot in select s.value from jsonb_array_elements(v_invitation.spots) s loop
    begin
      -- The person may have registered it already.
      select s.id into v_id
        from parking.spots s
       where s.owner_id = accept_invitation.profile_id
         and s.retired_at is null
         and private.number_key(s.spot_number) = private.number_key(v_spot ->> 'spot_number');

      if not found then
        insert into parking.spots as n (owner_id, spot_number, building_section)
        values (
          accept_invitation.profile_id, v_spot ->> 'spot_number', v_spot ->> 'building_section'
        )
        returning n.id into v_id;
      end if;

      -- First, because a change of the section ends a verification. The administrator knows the spot.
      update parking.spots s
         set building_section = v_spot ->> 'building_section'
       where s.id = v_id
         and s.building_section <> v_spot ->> 'building_section';
      update parking.spots s
         set is_verified = true
       where s.id = v_id
         and not s.is_verified;
      v_registered := v_registered || (v_spot || jsonb_build_object('spot_id', v_id));
    exception
      when integrity_constraint_violation or insufficient_privilege then
        get stacked diagnostics v_rule = constraint_name;
        v_registered := v_registered || (v_spot || jsonb_build_object('refused_by', v_rule));
    end;
  end loop;

  update parking.invitations i
     set status = 'accepted',
         accepted_at = clock_timestamp(),
         profile_id = accept_invitation.profile_id,
         spots = v_registered
   where i.id = v_invitation.id;
  perform set_config('request.jwt.claims', coalesce(v_claims, ''), true);
exception
  -- The invitation stays open. The claims are again what they were when this block began.
  when integrity_constraint_violation or insufficient_privilege then
    return;
end;
$$;

comment on function private.accept_invitation is
  'Approves the person with this profile, unless groups of the identity provider decide that, and registers and verifies the spots of the invitation for them, in the name of the administrator who invited.';
