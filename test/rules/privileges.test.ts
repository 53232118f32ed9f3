import { beforeAll, describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import { claimsOfKey, machineOf } from "../support/keys.ts";
import { holdsForAll } from "../support/table.ts";
import { tryWithClaims } from "./support.ts";

const building = useBuilding();
beforeAll(async () => {});

type Grants = readonly [onTable: string, insert?: string, update?: string];

/** All that the API role may use: privileges on whole tables, and columns that it may write. */
const grants: Readonly<Record<string, Grants>> = {
  "parking.availabilities": [
    "SELECT DELETE",
    "end_time owner_id pattern_id source_id spot_id start_time",
    "end_time start_time",
  ],
  "parking.building": [
    "SELECT",
    "",
    "colour event_days gate_minutes grace_minutes job_days language mail mark name notification_days offer_minutes passage_days pattern_days remind_minutes rest_stays_on_offer session_days time_zone",
  ],
  "parking.buildings": ["SELECT"],
  "parking.calendar_feeds": ["DELETE", "language secret_hash", "language secret_hash"],
  "parking.claims": [
    "SELECT DELETE",
    "availability_id end_time guest owner_id series_id spot_id start_time vehicle",
    "end_time guest start_time status vehicle",
  ],
  "parking.contacts": ["SELECT"],
  "parking.deliveries": ["SELECT"],
  "parking.exceptions": ["SELECT DELETE", "end_time kind owner_id spot_id start_time", ""],
  "parking.favorite_spots": ["SELECT DELETE", "spot_id", ""],
  "parking.invitations": ["SELECT DELETE", "apartment_number email full_name spots", ""],
  "parking.keys": ["DELETE", "expires_at name scopes secret_hash", ""],
  "parking.limits": [
    "SELECT",
    "building_section",
    "cancellation_cutoff_minutes claim_notice_minutes horizon_days longest_claim_minutes longest_window_days most_active_claims shortest_claim_minutes",
  ],
  "parking.notifications": ["SELECT", "", "is_read"],
  "parking.passages": ["SELECT"],
  "parking.patterns": [
    "SELECT DELETE",
    "ends_at first_day last_day owner_id spot_id starts_at weekdays",
    "ends_at first_day last_day starts_at weekdays",
  ],
  "parking.preferences": [
    "SELECT",
    "language mail push remind_minutes",
    "language mail push remind_minutes",
  ],
  "parking.profiles": [
    "SELECT",
    "apartment_number email full_name id phone_number shares_phone_number vehicle",
    "apartment_number full_name is_admin is_approved is_concierge is_suspended phone_number rejection_reason shares_phone_number vehicle",
  ],
  "parking.push_subscriptions": ["DELETE", "auth endpoint p256dh person_id", ""],
  "parking.sections": ["SELECT"],
  "parking.spot_access": ["SELECT", "access_notes owner_id spot_id", "access_notes"],
  "parking.spot_reports": ["SELECT", "note spot_id vehicle", "is_resolved"],
  "parking.spots": [
    "SELECT DELETE",
    "building_section notes spot_number",
    "building_section is_verified notes spot_number",
  ],
  "parking.webhooks": ["SELECT DELETE", "enabled format types url", "enabled format types url"],
  "parking.wishes": ["SELECT DELETE", "building_section end_time spot_id start_time", ""],
  "private.absences": ["SELECT"],
  "private.page_files": ["SELECT"],
  "private.rules": ["SELECT"],
};

describe("the API role", () => {
  it("has privileges on no other table", async () => {
    const touchable = await building.rows(
      `select c.oid::regclass::text as table
         from pg_class c
         join pg_namespace n on n.oid = c.relnamespace
        where n.nspname not in ('pg_catalog', 'information_schema')
          and c.relkind in ('r', 'p', 'v', 'm', 'f')
          and (
            has_table_privilege('parking_api', c.oid, 'DELETE, TRUNCATE, TRIGGER, MAINTAIN')
            or has_any_column_privilege('parking_api', c.oid, 'SELECT, INSERT, UPDATE, REFERENCES')
          )
        order by 1`,
    );
    expect(touchable).toEqual(Object.keys(grants).map((table) => ({ table })));
  });

  it("has exactly these privileges on each table", () =>
    holdsForAll(Object.entries(grants), async ([table, [onTable, insert = "", update = ""]]) => {
      const columns = (privilege: string) =>
        `array(
           select attname::text
             from pg_attribute
            where attrelid = $1::regclass
              and attnum > 0
              and has_column_privilege('parking_api', attrelid, attnum, '${privilege}')
            order by attname collate "C"
         )`;
      const found = await building.rows(
        `select array(
                  select privilege
                    from unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE',
                                      'TRUNCATE', 'REFERENCES', 'TRIGGER', 'MAINTAIN']) privilege
                   where has_table_privilege('parking_api', $1, privilege)
                ) as on_table,
                ${columns("INSERT")} as insert,
                ${columns("UPDATE")} as update,
                ${columns("REFERENCES")} as references`,
        [table],
      );
      const words = (text: string) => text.split(" ").filter(Boolean);
      expect(found).toEqual([
        { on_table: words(onTable), insert: words(insert), update: words(update), references: [] },
      ]);
    }));

  it("is asked once more at the end of each statement, but where people write about themselves", async () => {
    const unasked = await building.rows(
      `select c.oid::regclass::text as table, verb
         from pg_class c
        cross join (values ('INSERT', 4), ('DELETE', 8), ('UPDATE', 16)) v (verb, bit)
        where c.relkind = 'r'
          and c.relnamespace in ('parking'::regnamespace, 'private'::regnamespace)
          and (
            has_table_privilege('parking_api', c.oid, verb)
            or verb <> 'DELETE' and has_any_column_privilege('parking_api', c.oid, verb)
          )
          and 'private.check_rights'::regproc is distinct from (
            select t.tgfoid
              from pg_trigger t
             where t.tgrelid = c.oid
               and not t.tgisinternal
               and t.tgtype & bit > 0
               and t.tgtype & 3 = 0 -- after, for each statement
             order by t.tgname desc -- the last
             limit 1
          )
        order by 1, 2`,
    );
    expect(unasked).toEqual([
      { table: "parking.profiles", verb: "INSERT" },
      { table: "parking.profiles", verb: "UPDATE" }, // before the change: they may take back their own
      { table: "parking.push_subscriptions", verb: "DELETE" },
    ]);
  });

  it("may execute exactly these private functions, and those of the extension in private", async () => {
    const executable = await building.rows<{ name: string }>(
      `select p.proname as name
         from pg_proc p
        where p.pronamespace in ('parking'::regnamespace, 'private'::regnamespace, 'reporting'::regnamespace, 'identity'::regnamespace)
          and has_function_privilege('parking_api', p.oid, 'execute')
          and not exists (
            select from pg_depend d
             where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
          )`,
    );
    const names = `
      act_for act_member acting_id actor_id add_due_mails add_key add_passkey add_test_delivery address_key
      are_invited_spots are_mail_kinds are_scopes are_webhook_types are_weekdays base64url building
      caller_id caller_invitation change_address charge_rate_limits claim_days claim_exists
      claimed_by_groups claimer_of_made claims_of_vehicle claims_open_since clock_offsets
      consume_document current_position days_after decided_by_groups drop_push_subscription due_lanes
      due_patterns end_document end_elsewhere end_job enter_calendar_feed erase_as_administrator exported
      exported_ids extend_pattern fall_within find_account find_document find_passkey follow_groups
      free_endpoint free_times freed_by_claims get_delivery get_mail get_push give_address give_back_job
      give_reason give_webhook_secret given_reason has_free has_scope identify_key instant_of
      invisible_characters is_acted_for is_administrator is_approved is_event_type is_held
      is_invited_email is_notification_kind is_one_line is_staff is_time_zone iso8601 job_counts
      keep_answer keep_document keep_spot_of_claim keep_spots kept_times key_id leave_out limits_of
      list_keys list_passkeys lock_own_spots lock_person_as_administrator lock_spot_of_window
      lock_spot_to_reconcile lock_spots_of_exception midnight new_secret next_minute note_delivery
      note_key note_published number_key open_since order_events own_user pattern_spans pending_address
      people_by_subject people_without_account pieces_of plate prune publish push_public_key read_events
      reason reconcile refuse refuse_absent refuse_unchanged remember_user remove_passkey
      renew_statistics replay request_code require_administrator require_approved require_claim_series
      require_scope
      require_service require_staff require_trigger require_webhook rule_messages set_offered
      signed_in_elsewhere source_spans spans spot_keys spots_of_section stop_acting suspended_owners
      take_idempotency_key take_jobs tell_waiting token_claims total_availabilities total_claims try_code
      unsubscribe use_mail use_passkey use_push`;
    expect(executable.map(({ name }) => name).toSorted()).toEqual(names.trim().split(/\s+/));
  });

  it("may call for the service alone what no person may, whoever it is", async () => {
    const administrator = await building.administrator();
    const key = await machineOf(building, administrator, ["gate", "reports", "events"]);
    const names = `
      add_due_mails drop_push_subscription due_lanes end_job extend_pattern get_delivery get_mail get_push
      give_back_job job_counts note_delivery order_events prune read_events renew_statistics take_jobs
      tell_waiting use_mail use_push`;
    const ofSignIn = await building.rows<{ name: string }>(
      `select oid::regproc::text as name
         from pg_proc
        where pronamespace = 'identity'::regnamespace
          and has_function_privilege('parking_api', oid, 'execute')`,
    );
    expect(ofSignIn.length).toBeGreaterThan(5);
    const all = [
      ...names
        .trim()
        .split(/\s+/)
        .map((name) => `private.${name}`),
      ...ofSignIn.map(({ name }) => name),
    ];
    await holdsForAll(all, async (name) => {
      const [row] = await building.rows<{ call: string }>(
        `select format('select %s(%s)', oid::regproc, (
                  select string_agg('null::' || format_type(type, null), ', ' order by place)
                    from unnest(proargtypes) with ordinality as argument (type, place)
                )) as call
           from pg_proc where oid = $1::regproc`,
        [name],
      );
      const refused = { code: "42501", message: "This is for the service itself" };
      expect(await administrator.sqlError(row?.call ?? "")).toMatchObject(refused);
      const asKey = tryWithClaims(building, claimsOfKey(key), (api) => api.query(row?.call ?? ""));
      await expect(asKey).rejects.toMatchObject(refused);
    });
  });
});
