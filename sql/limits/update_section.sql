-- Each limit is an argument: with other arguments it would be another function.
drop function if exists api.update_section;
create or replace function api.update_section(
    building_section text,
    longest_window_days integer default null,
    horizon_days integer default null,
    shortest_claim_minutes integer default null,
    longest_claim_minutes integer default null,
    claim_notice_minutes integer default null,
    cancellation_cutoff_minutes integer default null,
    most_active_claims integer default null
)
  returns parking.sections
  language plpgsql
  set search_path = ''
as $$
declare
  v_section parking.sections;
begin
  perform private.require_administrator();

  -- A name that is misspelt would limit nothing. Without one it is the building, for api.update_building.
  if update_section.building_section is not null
    and not exists (select from api.get_section(update_section.building_section))
  then
    perform private.refuse_absent('limits');
  end if;

  -- Not where there is one, for an INSERT ends with private.check_rights, which may lock the profile before the row.
  if not exists (
    select
      from parking.limits l
     where l.building_section is not distinct from update_section.building_section
  ) then
    insert into parking.limits (building_section)
    values (update_section.building_section)
    on conflict on constraint limits_building_section_key do nothing;
  end if;

  -- Null leaves a limit as it is; 0 clears it.
  update parking.limits l
     set longest_window_days =
           nullif(coalesce(update_section.longest_window_days, l.longest_window_days), 0),
         horizon_days =
           nullif(coalesce(update_section.horizon_days, l.horizon_days), 0),
         shortest_claim_minutes =
           nullif(coalesce(update_section.shortest_claim_minutes, l.shortest_claim_minutes), 0),
         longest_claim_minutes =
           nullif(coalesce(update_section.longest_claim_minutes, l.longest_claim_minutes), 0),
         claim_notice_minutes =
           nullif(coalesce(update_section.claim_notice_minutes, l.claim_notice_minutes), 0),
         cancellation_cutoff_minutes = nullif(
           coalesce(update_section.cancellation_cutoff_minutes, l.cancellation_cutoff_minutes), 0
         ),
         most_active_claims =
           nullif(coalesce(update_section.most_active_claims, l.most_active_claims), 0)
   where l.building_section is not distinct from update_section.building_section;

  if not found then
    perform private.refuse_unchanged('limits');
  end if;

  select s.* into v_section
    from api.get_section(update_section.building_section) s;

  -- Without spots it was there for its limits only.
  v_section.building_section := update_section.building_section;
  v_section.total_spots := coalesce(v_section.total_spots, 0);
  return v_section;
end;
$$;

comment on function api.update_section is
  'Set limits for one section; null: the limit of the building. Windows and claims that are there stay as they are';
grant execute on function api.update_section to parking_api;
