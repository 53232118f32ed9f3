create or replace function private.register_invited_spots(spots jsonb, owner_id uuid)
  returns jsonb
  language plpgsql
  volatile
  security invoker -- for private.accept_invitation: no grant to the API role
  set search_path = ''
as $$
declare
  v_spot jsonb;
  v_id uuid;
  v_rule text;
  v_registered jsonb := '[]';
begin
  for v_spot in select s.value from jsonb_array_elements(register_invited_spots.spots) s loop
    begin
      -- The person may have registered it already.
      select s.id into v_id
        from parking.spots s
       where s.owner_id = register_invited_spots.owner_id
         and s.retired_at is null
         and private.number_key(s.spot_number) = private.number_key(v_spot ->> 'spot_number');

      if not found then
        insert into parking.spots (owner_id, spot_number, building_section)
        values (
          register_invited_spots.owner_id, v_spot ->> 'spot_number', v_spot ->> 'building_section'
        )
        returning id into v_id;
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
  return v_registered;
end;
$$;

comment on function private.register_invited_spots is
  'Registers and verifies the spots of an invitation for their owner. Returns them, each with its spot_id or the rule that refused it.';
