create or replace function private.give_reason(reason text)
  returns void
  language plpgsql
  set search_path = ''
as $$
begin
  -- A rule of the event log checks the rest when the act is recorded.
  if coalesce(give_reason.reason, '') = '' then
    perform private.refuse('events_reason_is_one_line', '23514');
  end if;
  perform set_config('request.reason', give_reason.reason, true);
end;
$$;

comment on function private.give_reason is
  'Sets the reason of an administrator for the rest of the transaction. The event log and the notifications repeat it.';
grant execute on function private.give_reason to parking_api;

/* No such row is there for the caller, or the caller lost the right to see it while the statement waited. */
create or replace function private.refuse_absent("table" text, requires_approval boolean default true)
  returns void
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  if refuse_absent.requires_approval then
    perform private.require_approved();
  end if;

  raise sqlstate 'PT404' using
    message = coalesce(
      (select a.message from private.absences a where a."table" = refuse_absent."table"),
      'Not found'
    ),
    table = refuse_absent."table";
end;
$$;

comment on function private.refuse_absent is
  'Fails with status 404 and the message that the comment of the table gives (@absent), or under the rule approved_account_required.';
grant execute on function private.refuse_absent to parking_api;

/*
 * The end of each function of api that found no row to change or delete. The caller may have lost the
 * right while the statement waited: that is what they read then.
 */
create or replace function private.refuse_unchanged(
    "table" text,
    rule text default null,
    is_there boolean default false
)
  returns void
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  if refuse_unchanged.rule is null or current_setting('request.reason', true) <> '' then
    perform private.require_administrator();
  end if;
  perform private.require_approved();

  if refuse_unchanged.is_there then
    perform private.refuse(refuse_unchanged.rule);
  end if;
  perform private.refuse_absent(refuse_unchanged."table");
end;
$$;

comment on function private.refuse_unchanged is
  'Fails under the rule, which lets only some change the row, where the row is there, and else as private.refuse_absent does. Without a rule, and with a reason, only administrators may change it.';
grant execute on function private.refuse_unchanged to parking_api;

/* Gives the caller an error where the policies would only show no rows. */
create or replace function private.require_administrator()
  returns void
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  perform private.require_approved();
  if not private.is_administrator() then
    perform private.refuse('administrator_required');
  end if;
end;
$$;

comment on function private.require_administrator is
  'Fails under the rule administrator_required unless the caller is an approved administrator.';
grant execute on function private.require_administrator to parking_api;

create or replace function private.require_staff()
  returns void
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  perform private.require_approved();
  if not private.is_staff() then
    perform private.refuse('administrator_required');
  end if;
end;
$$;

comment on function private.require_staff is
  'Fails under the rule administrator_required unless the caller is an approved administrator or concierge.';
grant execute on function private.require_staff to parking_api;

create or replace function private.require_approved()
  returns void
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  if not private.is_approved() then
    perform private.refuse('approved_account_required');
  end if;
end;
$$;

comment on function private.require_approved is
  'Fails under the rule approved_account_required unless the caller''s account is approved.';
grant execute on function private.require_approved to parking_api;
