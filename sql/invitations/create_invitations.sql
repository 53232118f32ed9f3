create or replace function api.create_invitations(
    invitations jsonb,
    out invited integer,
    out accepted integer
)
  language plpgsql
  set search_path = ''
as $$
declare
  v_given record;
  v_ids uuid[] := '{}';
  v_id uuid;
  v_rule text;
  v_code text;
  v_refused_by text;
  v_refused_with text;
  v_places text[] := '{}';
begin
  perform private.require_administrator();

  for v_given in
    select e.value, e.ordinality - 1 as index
      from jsonb_array_elements(create_invitations.invitations) with ordinality e
  loop
    begin
      insert into parking.invitations (email, full_name, apartment_number, spots)
      values (
        v_given.value ->> 'email',
        v_given.value ->> 'full_name',
        v_given.value ->> 'apartment_number',
        coalesce(v_given.value -> 'spots', '[]')
      )
      returning id into v_id;
      v_ids := v_ids || v_id;
    exception when integrity_constraint_violation then
      get stacked diagnostics v_rule = constraint_name, v_code = returned_sqlstate;
      v_refused_by := coalesce(v_refused_by, v_rule);
      v_refused_with := coalesce(v_refused_with, v_code);
      if v_rule = v_refused_by and cardinality(v_places) < 20 then
        v_places := v_places || format('invitations/%s', v_given.index);
      end if;
    end;
  end loop;

  -- All or none. The place of each, for the details of the refusal.
  if v_refused_by is not null then
    raise exception using
      errcode = v_refused_with,
      message = format('refused by rule "%s"', v_refused_by),
      constraint = v_refused_by,
      column = array_to_string(v_places, ' ');
  end if;

  set constraints parking.welcome_registered immediate;
  invited := cardinality(v_ids);
  accepted := (
    select count(*) from parking.invitations i where i.id = any (v_ids) and i.status = 'accepted'
  );
end;
$$;

comment on function api.create_invitations is
  'Invite people: who registers with the confirmed address is approved at once. All are invited, or none';
grant execute on function api.create_invitations to parking_api;
