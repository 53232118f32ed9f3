import { beforeAll, describe, expect, it } from "@jest/globals";
import { type Holding, holding, useBuilding } from "../support/building.ts";
import { everything } from "../support/rows.ts";

const building = useBuilding();
let held: Holding;
beforeAll(async () => {
  held = await holding(building);
});

const readable = ["SELECT"];
const deletable = ["SELECT", "DELETE"];
/** All that the API role may use: privileges on whole tables, and columns that it may write. */
const grants = [
  {
    table: "parking.availabilities",
    privileges: deletable,
    insert: ["end_time", "owner_id", "pattern_id", "source_id", "spot_id", "start_time"],
    update: ["end_time", "start_time"],
  },
  {
    table: "parking.building",
    privileges: readable,
    insert: [],
    update: [
      "colour",
      "event_days",
      "grace_minutes",
      "job_days",
      "language",
      "mail",
      "mark",
      "name",
      "notification_days",
      "offer_minutes",
      "pattern_days",
      "remind_minutes",
      "rest_stays_on_offer",
      "time_zone",
    ],
  },
  { table: "parking.buildings", privileges: readable, insert: [], update: [] },
  {
    table: "parking.calendar_feeds",
    privileges: ["DELETE"],
    insert: ["language", "secret_hash"],
    update: ["language", "secret_hash"],
  },
  {
    table: "parking.claims",
    privileges: deletable,
    insert: [
      "availability_id",
      "end_time",
      "guest",
      "owner_id",
      "spot_id",
      "start_time",
      "vehicle",
    ],
    update: ["end_time", "guest", "start_time", "status", "vehicle"],
  },
  { table: "parking.contacts", privileges: readable, insert: [], update: [] },
  { table: "parking.deliveries", privileges: readable, insert: [], update: [] },
  {
    table: "parking.exceptions",
    privileges: deletable,
    insert: ["end_time", "kind", "owner_id", "spot_id", "start_time"],
    update: [],
  },
  {
    table: "parking.invitations",
    privileges: deletable,
    insert: ["apartment_number", "email", "full_name", "spots"],
    update: [],
  },
  {
    table: "parking.limits",
    privileges: readable,
    insert: ["building_section"],
    update: [
      "cancellation_cutoff_minutes",
      "claim_notice_minutes",
      "horizon_days",
      "longest_claim_minutes",
      "longest_window_days",
      "most_active_claims",
      "shortest_claim_minutes",
    ],
  },
  { table: "parking.notifications", privileges: readable, insert: [], update: ["is_read"] },
  {
    table: "parking.patterns",
    privileges: deletable,
    insert: ["ends_at", "first_day", "last_day", "owner_id", "spot_id", "starts_at", "weekdays"],
    update: ["ends_at", "first_day", "last_day", "starts_at", "weekdays"],
  },
  {
    table: "parking.preferences",
    privileges: readable,
    insert: ["language", "mail", "remind_minutes"],
    update: ["language", "mail", "remind_minutes"],
  },
  {
    table: "parking.profiles",
    privileges: readable,
    insert: [
      "apartment_number",
      "email",
      "full_name",
      "id",
      "phone_number",
      "shares_phone_number",
      "vehicle",
    ],
    update: [
      "apartment_number",
      "full_name",
      "is_admin",
      "is_approved",
      "is_suspended",
      "phone_number",
      "rejection_reason",
      "shares_phone_number",
      "vehicle",
    ],
  },
  { table: "parking.sections", privileges: readable, insert: [], update: [] },
  {
    table: "parking.spot_access",
    privileges: readable,
    insert: ["access_notes", "owner_id", "spot_id"],
    update: ["access_notes"],
  },
  {
    table: "parking.spot_reports",
    privileges: readable,
    insert: ["note", "spot_id", "vehicle"],
    update: ["is_resolved"],
  },
  {
    table: "parking.spots",
    privileges: deletable,
    insert: ["building_section", "notes", "spot_number"],
    update: ["building_section", "is_verified", "notes", "spot_number"],
  },
  {
    table: "parking.webhooks",
    privileges: deletable,
    insert: ["enabled", "format", "types", "url"],
    update: ["enabled", "format", "types", "url"],
  },
  {
    table: "parking.wishes",
    privileges: deletable,
    insert: ["building_section", "end_time", "spot_id", "start_time"],
    update: [],
  },
  { table: "private.absences", privileges: readable, insert: [], update: [] },
  { table: "private.page_files", privileges: readable, insert: [], update: [] },
  { table: "private.rules", privileges: readable, insert: [], update: [] },
];

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
    expect(touchable).toEqual(grants.map(({ table }) => ({ table })));
  });

  it.each(grants)(
    "has exactly these privileges on $table",
    async ({ table, privileges, insert, update }) => {
      const columns = (privilege: string) =>
        building.rows(
          `select attname as column
           from pg_attribute
          where attrelid = $1::regclass
            and attnum > 0
            and has_column_privilege('parking_api', attrelid, attnum, $2)
          order by attname collate "C"`,
          [table, privilege],
        );
      const onTable = building.rows(
        `select privilege
         from unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE',
                           'TRUNCATE', 'REFERENCES', 'TRIGGER', 'MAINTAIN']) privilege
        where has_table_privilege('parking_api', $1, privilege)`,
        [table],
      );

      expect(await onTable).toEqual(privileges.map((privilege) => ({ privilege })));
      expect(await columns("INSERT")).toEqual(insert.map((column) => ({ column })));
      expect(await columns("UPDATE")).toEqual(update.map((column) => ({ column })));
      expect(await columns("REFERENCES")).toEqual([]);
    },
  );

  it.each([
    "truncate parking.notifications",
    `insert into parking.spots (spot_number, building_section, is_verified)
     values ('1', '1', true)`,
    `insert into parking.profiles (id, email, apartment_number, is_admin)
     values (private.caller_id(), 'a@b', '1', true)`,
    "update parking.spots set owner_id = private.caller_id()",
    "update parking.availabilities set is_claimed = false",
    "update parking.claims set claimer_id = private.caller_id()",
    "update parking.profiles set email = 'a@b'",
    "delete from parking.profiles",
    "select from private.users",
    "select from private.events",
    "select from private.webhook_secrets",
    "update parking.webhooks set failing_since = null",
    "select private.add_delivery(uuidv7(), uuidv7())",
    "select private.make_administrator('x')",
    "select private.notify(private.caller_id(), 'spot.verified')",
    "create table parking.mine ()",
    "create table private.mine ()",
    "create table public.mine ()",
    "create function api.mine() returns void language sql return null",
    "alter table parking.claims disable row level security",
    "set role parking_owner",
  ])("may not: %s", async (statement) => {
    const before = await everything(building);
    expect(await held.owner.sqlError(statement)).toMatchObject({ code: "42501" });
    expect(await everything(building)).toEqual(before);
  });

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
      { table: "parking.preferences", verb: "INSERT" },
      { table: "parking.preferences", verb: "UPDATE" },
      { table: "parking.profiles", verb: "INSERT" },
      { table: "parking.profiles", verb: "UPDATE" }, // before the change: they may take back their own
    ]);
  });

  it("may execute exactly these private functions, and those of the extension in private", async () => {
    const executable = await building.rows<{ name: string }>(
      `select p.proname as name
         from pg_proc p
        where p.pronamespace in ('parking'::regnamespace, 'private'::regnamespace, 'reporting'::regnamespace)
          and has_function_privilege('parking_api', p.oid, 'execute')
          and not exists (
            select from pg_depend d
             where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
          )`,
    );
    expect(executable.map(({ name }) => name).toSorted()).toEqual([
      "add_due_mails",
      "add_test_delivery",
      "address_key",
      "are_invited_spots",
      "are_mail_kinds",
      "are_webhook_types",
      "are_weekdays",
      "building",
      "caller_id",
      "caller_invitation",
      "charge_rate_limits",
      "claim_exists",
      "claimed_by_groups",
      "claimed_spans",
      "claims_made",
      "claims_of_vehicle",
      "claims_open_since",
      "clock_offsets",
      "current_position",
      "days_after",
      "decided_by_groups",
      "due_lanes",
      "due_patterns",
      "end_job",
      "enter_calendar_feed",
      "erase_as_administrator",
      "exported",
      "exported_ids",
      "extend_pattern",
      "fall_within",
      "follow_groups",
      "free_times",
      "freed_by_claims",
      "get_delivery",
      "get_mail",
      "give_back_job",
      "give_reason",
      "give_webhook_secret",
      "has_free",
      "hour_use",
      "insert_pattern",
      "instant_of",
      "invisible_characters",
      "is_administrator",
      "is_approved",
      "is_event_type",
      "is_held",
      "is_invited_email",
      "is_notification_kind",
      "is_one_line",
      "is_time_zone",
      "job_counts",
      "keep_answer",
      "keep_spot_of_claim",
      "kept_times",
      "known_profile",
      "leave_out",
      "limits_of",
      "lock_own_spots",
      "lock_person_as_administrator",
      "lock_plans",
      "lock_spot_of_window",
      "lock_spot_to_reconcile",
      "lock_spots_of_exception",
      "midnight",
      "next_minute",
      "note_delivery",
      "note_published",
      "number_key",
      "offered_spans",
      "open_since",
      "order_events",
      "outcomes_of_pattern",
      "own_user",
      "pattern_spans",
      "pieces_of",
      "plate",
      "prune",
      "publish",
      "read_events",
      "reason",
      "reconcile",
      "refuse",
      "refuse_absent",
      "refuse_unchanged",
      "remember_user",
      "renew_statistics",
      "replay",
      "report_start",
      "report_steps",
      "require_administrator",
      "require_approved",
      "require_service",
      "require_shared",
      "require_trigger",
      "require_webhook",
      "section_use",
      "set_offered",
      "source_spans",
      "spans",
      "spot_keys",
      "spots_of_section",
      "suspended_owners",
      "take_idempotency_key",
      "take_jobs",
      "tell_waiting",
      "token_claims",
      "total_availabilities",
      "total_claims",
      "total_own_claims",
      "unsubscribe",
      "use_mail",
      "wished_hours",
    ]);
  });
});
