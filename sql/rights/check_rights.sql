/*
 * Policies decide by the snapshot of the statement, which may be older than the locks that it waited for: who
 * was suspended meanwhile would still act. So each table that people write asks again at the end of a statement.
 */
create or replace function private.check_rights()
  returns trigger
  language plpgsql
  volatile -- for a new snapshot
  set search_path = ''
as $$
begin
  if not row_security_active(tg_relid) then
    return null; -- binds people, not the owner of the table
  end if;

  -- With If-Match there is no new snapshot. But a lock fails where the profile has changed since, and the
  -- request is tried again. A change that is under way comes later: nobody waits for it here.
  if current_setting('transaction_isolation') <> 'read committed' then
    perform from parking.profiles p where p.id = (select private.caller_id()) for share skip locked;
  end if;

  if tg_argv[0] = 'account' then
    if exists (
      select
        from parking.profiles p
       where p.id = (select private.caller_id())
         and p.email = p.id || '@erased.invalid' -- as profiles_erased_stay_erased knows it
    ) then
      perform private.refuse(tg_table_name || '_of_a_resident', '23503');
    end if;
  elsif tg_argv[0] = 'administrator' or current_setting('request.reason', true) <> '' then
    perform private.require_administrator();
  elsif tg_argv[0] = 'staff' then
    perform private.require_staff();
  elsif not private.is_approved() then
    perform private.refuse('approved_account_required');
  end if;
  return null;
end;
$$;

-- The last of them, after all the waiting: triggers run in the order of their names.
do $$
declare
  v record;
begin
  for v in
    select *
      from (
        values
          -- By residents.
          ('calendar_feeds', 'insert or delete or update', ''),
          ('claims', 'insert or delete or update', ''),
          ('exceptions', 'insert or delete', ''),
          ('favorite_spots', 'insert or delete', ''),
          ('notifications', 'update', ''),
          ('patterns', 'insert or delete or update', ''),
          ('spot_access', 'insert or update', ''),
          ('spot_reports', 'insert', ''),
          ('spots', 'insert or delete or update', ''),
          ('wishes', 'insert or delete', ''),
          -- By people before they are approved, too, but not after their erasure.
          ('preferences', 'insert or update', 'account'),
          ('push_subscriptions', 'insert', 'account'),
          -- By administrators.
          ('building', 'update', 'administrator'),
          ('invitations', 'insert or delete', 'administrator'),
          ('keys', 'insert or delete', 'administrator'),
          ('limits', 'insert or update', 'administrator'),
          ('webhooks', 'insert or delete or update', 'administrator')
      ) t (name, writes, who)
  loop
    execute format(
      'create or replace trigger z_check_rights after %s on parking.%I
         for each statement execute function private.check_rights(%s)',
      v.writes, v.name, quote_literal(nullif(v.who, ''))
    );
  end loop;
end;
$$;

create or replace trigger z_check_rights
  after insert or delete or update of start_time, end_time on parking.availabilities
  for each statement
  when (pg_trigger_depth() = 0) -- what private.reconcile writes in the name of the owner follows from that
  execute function private.check_rights();

create or replace trigger z_check_staff
  after update on parking.spot_reports
  for each statement
  execute function private.check_rights('staff');

-- Others may write these too. A person who was an administrator when the statement began must still be one.
create or replace trigger z_check_administrator
  after update of is_verified on parking.spots
  for each statement
  when (private.is_administrator())
  execute function private.check_rights('administrator');

-- Before the change, which may be that administrators take back their own rights; private.lock_administrators
-- has let the statement go on.
create or replace trigger z_check_administrator
  before update of is_approved, is_admin, is_concierge, is_suspended, rejection_reason
  on parking.profiles
  for each statement
  when (private.is_administrator())
  execute function private.check_rights('administrator');
