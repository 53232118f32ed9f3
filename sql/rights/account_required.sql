/*
 * Two rules that many tables have: people who are not approved see and change nothing of what residents share, and
 * only administrators what is theirs. A table keeps the policy that it has, for a new one would lock it.
 */
do $$
declare
  v record;
begin
  for v in
    select r.name as rule, r.condition, r.comment, t.name as "table"
      from (
        values (
          'approved_account_required',
          '(select private.is_approved())',
          E'@de Ihr Konto ist nicht freigegeben.\nAccount not approved',
          array[
            'availabilities', 'building', 'calendar_feeds', 'claims', 'exceptions', 'favorite_spots',
            'limits', 'notifications', 'patterns', 'spot_access', 'spot_reports', 'spots', 'wishes'
          ]
        ),
        (
          'administrator_required',
          '(select private.is_administrator())',
          E'@de Das darf nur die Verwaltung.\nAdministrator privileges required',
          array['invitations', 'keys', 'passages', 'webhooks']
        )
      ) r (name, condition, comment, tables)
     cross join unnest(r.tables) t (name)
  loop
    if not exists (
      select
        from pg_catalog.pg_policies p
       where (p.schemaname, p.tablename, p.policyname) = ('parking', v."table", v.rule)
    ) then
      execute format(
        'create policy %I on parking.%I as restrictive to parking_api using (%s)',
        v.rule, v."table", v.condition
      );
    end if;
    execute format('comment on policy %I on parking.%I is %L', v.rule, v."table", v.comment);
  end loop;
end;
$$;
