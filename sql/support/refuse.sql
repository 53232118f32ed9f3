/* Raises a rule that no constraint can raise: one that is a trigger, or a policy that hides rows. */
create or replace function private.refuse(rule text, code text default '42501')
  returns void
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  raise exception using
    errcode = refuse.code,
    message = format('refused by rule "%s"', refuse.rule),
    constraint = refuse.rule;
end;
$$;

comment on function private.refuse is
  'Fails as a constraint with the rule''s name would: with 42501 (who may act) or the code given. The message for people is the comment of the rule.';
grant execute on function private.refuse to parking_api;
