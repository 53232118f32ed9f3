/* The function of those rules whose trigger's WHEN clause is the whole condition. */
create or replace function private.enforce_rule()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  perform private.refuse(tg_name, coalesce(tg_argv[0], '23514'));
  return null;
end;
$$;

comment on function private.enforce_rule is
  'Trigger function: refuses what the trigger''s WHEN clause describes, under the trigger''s name, with SQLSTATE 23514 or the one given as argument.';
