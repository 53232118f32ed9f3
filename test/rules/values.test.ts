import { beforeAll, describe, expect, it } from "@jest/globals";
import type { ClientBase } from "pg";
import { eventTypes } from "../../src/contract/events.ts";
import { withClient } from "../../src/database/client.ts";
import { holding, hours, useBuilding } from "../support/building.ts";
import { noLimitsOfSection } from "../support/limits.ts";
import type { Person } from "../support/person.ts";
import { makeBrowser } from "../support/push-service.ts";
import { claimsOf, rolledBack, setClaims } from "../support/sql.ts";
import { holdsForAll } from "../support/table.ts";
import { webhookOf } from "../support/webhooks.ts";
import { missing, refusedBy } from "./support.ts";
import { oneLineTexts, otherTexts } from "./texts.ts";

const building = useBuilding();
/** The building has one spot, window, claim and webhook, and one person who is not approved. */
let people: Readonly<Record<"owner" | "claimer" | "administrator", Person>>;
beforeAll(async () => {
  const { owner, claimer } = await holding(building);
  const administrator = await building.administrator();
  people = { owner, claimer, administrator };
  await building.unapproved();
  await webhookOf(administrator);
});

interface Form {
  readonly rule: string;
  /** The person who may write the value; nobody where only the owner of the database may. */
  readonly by?: keyof typeof people;
  /** A statement, $1 of which is the value. */
  readonly sql: string;
  readonly accepted: readonly unknown[];
  readonly refused: readonly unknown[];
  /** The column, where null is refused because it is required. */
  readonly required?: string;
}

/** What is accepted and refused of a text on one line; without more, null is accepted. */
const oneLine = (longest: number, more: readonly string[] = []) => ({
  accepted: [null, ...oneLineTexts(longest)],
  refused: [...otherTexts(longest), ...more],
});
const requiredLine = (longest: number, column: string) => ({
  accepted: oneLineTexts(longest),
  refused: otherTexts(longest),
  required: column,
});
/** Whole numbers from one to another, and none. */
const within = (least: number, most: number) => ({
  accepted: [least, most, null],
  refused: [least - 1, -1, most + 1],
});
const plate = oneLine(16, ["-", "- – -"]);
const mailKinds = {
  accepted: [[], ["wish.fits"], ["wish.fits", "claim.ends"]],
  refused: [["x"], ["wish.fits", "wish.fits"], [null], [["wish.fits"], ["claim.ends"]]],
};
const { p256dh, auth } = makeBrowser().keys;
const subscription = (...values: readonly string[]) =>
  `insert into parking.push_subscriptions (endpoint, p256dh, auth) values (${values})`;
const invitation = (column: string) => {
  const others = { email: "'a@b.example'", apartment_number: "'2B'" };
  const values = Object.entries({ ...others, [column]: "$1" });
  return `insert into parking.invitations (${values.map(([name]) => name)})
          values (${values.map(([, value]) => value)})`;
};
const passage = (values: string) =>
  `insert into parking.passages (vehicle, direction, passed_at) values (${values}, now())`;
const key = (values: string) =>
  `insert into parking.keys (name, scopes, expires_at, secret_hash) values (${values})`;
const webhook = (values: string) =>
  `insert into parking.webhooks (url, types, format) values (${values})`;
const spotOfList = (spot_number: unknown, building_section: unknown = "North") => ({
  spot_number,
  building_section,
});
const spotsOfList = (count: number) =>
  Array.from({ length: count }, (_, i) => spotOfList(`${i}`.padEnd(32, "x"), "x".repeat(100)));
const json = (values: readonly unknown[]) => values.map((it) => JSON.stringify(it));

const forms: readonly Form[] = [
  {
    rule: "profiles_full_name_is_one_line",
    by: "owner",
    sql: "update parking.profiles set full_name = $1 where id = private.caller_id()",
    ...oneLine(200),
  },
  {
    rule: "profiles_apartment_number_is_one_line",
    by: "owner",
    sql: "update parking.profiles set apartment_number = $1 where id = private.caller_id()",
    ...requiredLine(32, "apartment_number"),
  },
  {
    rule: "profiles_phone_number_is_dialable",
    by: "owner",
    sql: "update parking.profiles set phone_number = $1 where id = private.caller_id()",
    accepted: [null, "112", "1".repeat(32), "+49 (0)30/123.456-7890"],
    refused: ["11", "1".repeat(33), "CALL 112", "1\\2\\3", "١١٢", "", "112\n112"],
  },
  {
    rule: "profiles_vehicle_is_a_plate",
    by: "owner",
    sql: "update parking.profiles set vehicle = $1 where id = private.caller_id()",
    ...plate,
  },
  {
    rule: "profiles_rejection_reason_is_one_line",
    by: "administrator",
    sql: "update parking.profiles set rejection_reason = $1 where not is_approved",
    ...oneLine(300),
  },
  ...(
    [
      ["spot_number", 32],
      ["building_section", 100],
    ] as const
  ).map(
    ([column, longest]): Form => ({
      rule: `spots_${column}_is_one_line`,
      by: "owner",
      sql: `update parking.spots set ${column} = $1`,
      ...requiredLine(longest, column),
    }),
  ),
  {
    rule: "spots_notes_are_one_line",
    by: "owner",
    sql: "update parking.spots set notes = $1",
    ...oneLine(300),
  },
  {
    rule: "spot_access_notes_are_one_line",
    by: "owner",
    sql: `insert into parking.spot_access (spot_id, owner_id, access_notes)
          select id, owner_id, $1 from parking.spots`,
    ...oneLine(300),
  },
  {
    rule: "spot_reports_vehicle_is_a_plate",
    by: "owner",
    sql: "insert into parking.spot_reports (spot_id, vehicle) select id, $1 from parking.spots",
    ...plate,
  },
  {
    rule: "spot_reports_note_is_one_line",
    by: "owner",
    sql: "insert into parking.spot_reports (spot_id, note) select id, $1 from parking.spots",
    ...oneLine(300),
  },
  {
    rule: "claims_guest_is_one_line",
    by: "claimer",
    sql: "update parking.claims set guest = $1",
    ...oneLine(200),
  },
  {
    rule: "claims_vehicle_is_a_plate",
    by: "claimer",
    sql: "update parking.claims set vehicle = $1",
    ...plate,
  },
  {
    rule: "wishes_building_section_is_one_line",
    by: "claimer",
    sql: `insert into parking.wishes (building_section, start_time, end_time)
          values ($1, '${hours(2)}', '${hours(4)}')`,
    ...oneLine(100),
  },
  {
    rule: "invitations_email_is_an_address",
    by: "administrator",
    sql: invitation("email"),
    accepted: [
      ...["o'neil", "a+b.c", "a..b", "!#$%&*/=?^_`{|}~-"].map((name) => `${name}@b.example`),
      `a@${"b".repeat(63)}`,
      "@b.example".padStart(320, "a"),
    ],
    refused: [
      ...["nobody", " a@b.example", "@b.example".padStart(321, "a"), "a\u200b@b.example"],
      ...["<a@x.example>", "mailto:a@x.example", "a@x.example;", "Carla <a@x.example>"],
      ...["a@x.example, b@x.example", "a b@x.example", "a@@x.example", "a@-", "a@x..example"],
      "k\u212a@x.example", // the Kelvin sign
    ],
    required: "email",
  },
  {
    rule: "invitations_full_name_is_one_line",
    by: "administrator",
    sql: invitation("full_name"),
    ...oneLine(200),
  },
  {
    rule: "invitations_apartment_number_is_one_line",
    by: "administrator",
    sql: invitation("apartment_number"),
    ...requiredLine(32, "apartment_number"),
  },
  {
    rule: "invitations_spots_can_be_registered",
    by: "administrator",
    sql: invitation("spots"),
    accepted: json([[], spotsOfList(20)]),
    refused: json([
      ...[{}, "A-1", null, ["A-1"], [{ spot_number: "A-1" }], [{ building_section: "North" }]],
      ...[7, "", "x".repeat(33)].map((number) => [spotOfList(number)]),
      [spotOfList("A-1", "x".repeat(101))],
      spotsOfList(21),
    ]),
    required: "spots",
  },
  {
    rule: "building_name_is_one_line",
    by: "administrator",
    sql: "update parking.building set name = $1",
    ...requiredLine(100, "name"),
  },
  {
    rule: "building_mark_is_short",
    by: "administrator",
    sql: "update parking.building set mark = $1",
    accepted: [null, "x", "xx", "🌳🌳", "🅿️"],
    refused: otherTexts(2),
  },
  {
    rule: "building_colour_is_hexadecimal",
    by: "administrator",
    sql: "update parking.building set colour = $1",
    accepted: ["#000000", "#FFFFFF", "#1d6f42", null],
    refused: ["", "#fff", "1d6f42", "#1d6f42ff", "#1d6f4g", "red", " #1d6f42", "#1d6f42\n"],
  },
  {
    rule: "building_time_zone_is_known",
    by: "administrator",
    sql: "update parking.building set time_zone = $1",
    accepted: [
      ...["UTC", "Europe/Berlin", "Asia/Kolkata", "America/Argentina/Buenos_Aires", "Etc/GMT+5"],
    ],
    // PostgreSQL takes most of them after "at time zone": abbreviations, offsets and POSIX rules.
    refused: [
      ...["CEST", "CET", "EET", "MET", "WET", "EST5EDT", "+02:00", "CET-1CEST,M3.5.0,M10.5.0/3"],
      ...["Europe/Berlino", "Berlin5", "europe/berlin", "../Europe/Berlin", "", "Factory", null],
    ],
  },
  ...["grace_minutes", "offer_minutes"].map(
    (column): Form => ({
      rule: "building_minutes_are_in_range",
      by: "administrator",
      sql: `update parking.building set ${column} = $1`,
      ...within(1, 525_600),
    }),
  ),
  {
    rule: "building_pattern_days_within_a_year",
    by: "administrator",
    sql: "update parking.building set pattern_days = $1",
    accepted: [1, 366],
    refused: [0, -1, 367],
    required: "pattern_days",
  },
  {
    rule: "building_sessions_within_a_year",
    by: "administrator",
    sql: "update parking.building set session_days = $1",
    accepted: [1, 365],
    refused: [0, -1, 366],
    required: "session_days",
  },
  ...(
    [
      ["gate_minutes", 240],
      ["passage_days", 90],
    ] as const
  ).map(
    ([column, most]): Form => ({
      rule: "building_gate_is_in_range",
      by: "administrator",
      sql: `update parking.building set ${column} = $1`,
      accepted: [0, most],
      refused: [-1, most + 1],
      required: column,
    }),
  ),
  ...(
    [
      ["event_days", 30],
      ["notification_days", 30],
      ["job_days", 7],
    ] as const
  ).map(
    ([column, least]): Form => ({
      rule: "building_keeps_for_days",
      by: "administrator",
      sql: `update parking.building set ${column} = $1`,
      accepted: [least, 36_500],
      refused: [least - 1, 36_501],
      required: column,
    }),
  ),
  {
    rule: "building_mail_is_of_known_kinds",
    by: "administrator",
    sql: "update parking.building set mail = $1",
    ...mailKinds,
    required: "mail",
  },
  {
    rule: "building_language_is_known",
    by: "administrator",
    sql: "update parking.building set language = $1",
    accepted: ["de", "en"],
    refused: ["fr", "", "EN"],
    required: "language",
  },
  {
    rule: "building_reminds_in_time",
    by: "administrator",
    sql: "update parking.building set remind_minutes = $1",
    accepted: [5, 10_080],
    refused: [4, 0, -1, 10_081],
    required: "remind_minutes",
  },
  ...Object.keys(noLimitsOfSection).map(
    (limit): Form => ({
      rule: "limits_are_in_range",
      by: "administrator",
      sql: `update parking.limits set ${limit} = $1`,
      ...within(1, limit.endsWith("days") ? 36_500 : limit.endsWith("minutes") ? 525_600 : 1_000),
    }),
  ),
  {
    rule: "limits_shortest_claim_within_longest",
    by: "administrator",
    sql: "update parking.limits set shortest_claim_minutes = 60, longest_claim_minutes = $1",
    accepted: [60, 61, null],
    refused: [59],
  },
  {
    rule: "limits_building_section_is_one_line",
    by: "administrator",
    sql: "insert into parking.limits (building_section) values ($1)",
    accepted: oneLineTexts(100),
    refused: otherTexts(100),
  },
  {
    rule: "preferences_mail_is_of_known_kinds",
    by: "owner",
    sql: "insert into parking.preferences (mail) values ($1)",
    accepted: [...mailKinds.accepted, null],
    refused: mailKinds.refused,
  },
  {
    rule: "preferences_push_is_of_known_kinds",
    by: "owner",
    sql: "insert into parking.preferences (push) values ($1)",
    accepted: [...mailKinds.accepted, null],
    refused: mailKinds.refused,
  },
  {
    rule: "push_subscriptions_endpoint_is_https",
    by: "owner",
    sql: subscription("$1", `'${p256dh}'`, `'${auth}'`),
    accepted: ["https://push.example.net/a?b=c", "https://push.example.net:8443"],
    refused: [
      ...["http://push.example.net/a", "http://localhost/a", "push.example.net", "https://"],
      ...["https://ann@push.example.net/a", "https://push.example.net/a b", "javascript:1"],
    ],
    required: "endpoint",
  },
  {
    rule: "push_subscriptions_endpoint_is_one_line",
    by: "owner",
    sql: subscription("$1", `'${p256dh}'`, `'${auth}'`),
    accepted: [`https://${"a".repeat(992)}`],
    refused: [`https://${"a".repeat(993)}`],
  },
  {
    rule: "push_subscriptions_p256dh_is_a_point",
    by: "owner",
    sql: subscription("'https://a.example'", "$1", `'${auth}'`),
    accepted: [p256dh],
    refused: ["", `A${p256dh.slice(1)}`, p256dh.slice(1), `${p256dh}A`, `${p256dh.slice(0, -1)}B`],
    required: "p256dh",
  },
  {
    rule: "push_subscriptions_auth_is_a_secret",
    by: "owner",
    sql: subscription("'https://a.example'", `'${p256dh}'`, "$1"),
    accepted: [auth],
    refused: ["", auth.slice(1), `${auth}A`, `${auth.slice(0, -1)}B`, `${auth}==`],
    required: "auth",
  },
  {
    rule: "push_key_is_a_pair",
    sql: `insert into private.push_key (public_key, private_key) values ('${p256dh}', $1)`,
    accepted: ["A".repeat(43)],
    refused: ["", "A".repeat(42), "A".repeat(44), `${"A".repeat(42)}B`],
  },
  {
    rule: "preferences_language_is_known",
    by: "owner",
    sql: "insert into parking.preferences (language) values ($1)",
    accepted: ["en", "de", null],
    refused: ["fr", "", "DE"],
  },
  {
    rule: "preferences_remind_in_time",
    by: "owner",
    sql: "insert into parking.preferences (remind_minutes) values ($1)",
    accepted: [5, 10_080, null],
    refused: [4, 0, -1, 10_081],
  },
  {
    rule: "calendar_feeds_language_is_known",
    by: "owner",
    sql: "insert into parking.calendar_feeds (secret_hash, language) values (sha256('x'), $1)",
    accepted: ["en", "de"],
    refused: ["fr", "", "EN"],
  },
  {
    rule: "calendar_feeds_secrets_are_hashed",
    by: "owner",
    sql: "insert into parking.calendar_feeds (secret_hash) values ($1)",
    accepted: [Buffer.alloc(32)],
    refused: [Buffer.alloc(31), Buffer.alloc(33), Buffer.from("secret")],
  },
  {
    rule: "idempotency_keys_are_printable",
    by: "owner",
    sql: "select private.keep_answer($1, 'one', '{}', null)",
    accepted: [" ", "~", "x".repeat(255), 'a "b" \\c'],
    refused: ["", "x".repeat(256), "ä", "a\n", "\u007f"],
  },
  {
    rule: "idempotency_keys_answers_are_short",
    by: "owner",
    sql: "select private.keep_answer('a', $1, '{}', null)",
    accepted: ["x".repeat(64)],
    refused: ["x".repeat(65)],
  },
  {
    rule: "idempotency_keys_answers_are_short",
    by: "owner",
    sql: "select private.keep_answer('a', 'one', $1, null)",
    accepted: ["ä".repeat(50_000)],
    refused: [`${"ä".repeat(50_000)}x`],
  },
  {
    rule: "webhooks_url_is_https",
    by: "administrator",
    sql: webhook("$1, '{spot.registered}', 'event'"),
    accepted: [
      ...["https://example.org", "https://example.org:8443/a?b=c#d", "HTTPS://EXAMPLE.ORG/"],
      ...["https://[2606:4700::1111]/", "http://localhost:3000/", "http://127.0.0.1/hook"],
      "http://[::1]:8080",
    ],
    refused: [
      ...["http://example.org/", "http://localhost.example.org/", "ftp://example.org/"],
      ...["http://127.0.0.1.example.org/", "http://127.0.0.1@example.org/", "https:///path"],
      ...["https://user@example.org/", "https://user:secret@example.org/", "https:example.org"],
      ...["https://exa mple.org/", "https://example.org\\@localhost/", "javascript:alert(1)"],
      "example.org",
    ],
    required: "url",
  },
  {
    rule: "webhooks_url_is_one_line",
    by: "administrator",
    sql: webhook("$1, '{spot.registered}', 'event'"),
    accepted: ["https://a.example/".padEnd(2000, "x")],
    refused: ["https://a.example/".padEnd(2001, "x")],
  },
  {
    rule: "webhooks_types_are_known",
    by: "administrator",
    sql: webhook("'https://a.example', $1, 'event'"),
    accepted: [["claim.submitted"], ["spot.registered", "claim.submitted"]],
    refused: [
      ...[[], ["claim.made"], ["webhook.test"], ["claim.submitted", "claim.submitted"]],
      [["claim.submitted"], ["claim.cancelled"]],
      // Administrators do not see what these are about.
      ...[["claim.submitted", "pattern.created"], ["notification.created"]],
    ],
    required: "types",
  },
  {
    rule: "webhooks_format_is_known",
    by: "administrator",
    sql: webhook("'https://a.example', '{spot.registered}', $1"),
    accepted: ["event", "chat"],
    refused: ["xml", "", "Chat"],
    required: "format",
  },
  {
    rule: "passages_direction_is_known",
    sql: passage("'AB1', $1"),
    accepted: ["in", "out"],
    refused: ["", "In", "through"],
    required: "direction",
  },
  {
    rule: "passages_vehicle_is_a_plate",
    sql: passage("$1, 'in'"),
    accepted: ["A", "BAB1234", "ÄÖ1", "X".repeat(16)],
    refused: ["", "B-AB 1", "bab1", "X".repeat(17)],
    required: "vehicle",
  },
  {
    rule: "keys_name_is_one_line",
    by: "administrator",
    sql: key("$1, '{gate}', now() + interval '1 day', sha256('a')"),
    accepted: ["x", "x".repeat(100), "Tor 1"],
    refused: ["", "x".repeat(101), "a\nb"],
    required: "name",
  },
  {
    rule: "keys_scopes_are_known",
    by: "administrator",
    sql: key("'x', $1, now() + interval '1 day', sha256('a')"),
    accepted: [["gate"], ["gate", "reports", "events"]],
    refused: [[], ["all"], ["gate", "gate"], [["gate"], ["reports"]]],
    required: "scopes",
  },
  {
    rule: "keys_expire_within_ten_years",
    by: "administrator",
    sql: key("'x', '{gate}', now() + $1::interval, sha256('a')"),
    accepted: ["1 second", "3653 days"],
    refused: ["0", "-1 second", "3654 days"],
  },
  {
    rule: "keys_secrets_are_hashed",
    by: "administrator",
    sql: key("'x', '{gate}', now() + interval '1 day', convert_to($1, 'UTF8')"),
    accepted: ["x".repeat(32)],
    refused: ["", "x".repeat(31), "x".repeat(33)],
    required: "secret_hash",
  },
  {
    rule: "webhook_secrets_are_random",
    sql: "insert into private.webhook_secrets (webhook_id, secret) select id, $1 from parking.webhooks",
    accepted: [`whsec_${Buffer.alloc(32).toString("base64")}`],
    refused: ["", "whsec_", "whsec_dGVzdA==", "x"],
  },
  {
    rule: "jobs_kind_is_a_word",
    sql: "insert into private.jobs (kind, lane, key) values ($1::text, $1::text, 'a')",
    accepted: ["mail"],
    refused: ["Mail", "e-mail", "m".repeat(41)],
  },
  {
    rule: "jobs_lane_begins_with_its_kind",
    sql: "insert into private.jobs (kind, lane, key) values ('mail', $1, 'a')",
    accepted: ["mail", "mail:1"],
    refused: ["patterns", "mail:", "mails:1"],
  },
  {
    rule: "jobs_key_is_one_line",
    sql: "insert into private.jobs (kind, lane, key) values ('mail', 'mail', $1)",
    accepted: ["k".repeat(200)],
    refused: ["", "a\nb", "k".repeat(201)],
  },
  {
    rule: "jobs_failure_is_short",
    sql: "insert into private.jobs (kind, lane, key, failure) values ('mail', 'mail', 'a', $1)",
    accepted: [null, "x".repeat(500)],
    refused: ["x".repeat(501)],
  },
  {
    rule: "mail_key_is_long",
    sql: "update private.mail_key set key = $1",
    accepted: [Buffer.alloc(32)],
    refused: [Buffer.alloc(31), Buffer.alloc(33)],
  },
  {
    rule: "page_files_name_has_a_hash",
    sql: "insert into private.page_files (name, content, release) values ($1, 'x', 1)",
    accepted: ["main.ABCDEFG2.js"],
    refused: ["main.js", "../main.ABCDEFGH.js", ".ABCDEFGH.js", ""],
  },
  {
    rule: "users_email_is_an_address",
    sql: "insert into private.users (id, email) values (uuidv7(), $1)",
    accepted: ["a@b", `${"x".repeat(314)}@a.com`, "ž@пример.рф"],
    refused: [
      ...["", "nobody", "@example.org", "nobody@", `x${"x".repeat(314)}@a.com`, " a@b", "a@b "],
      "a@b\nc",
    ],
    required: "email",
  },
  {
    rule: "events_type_is_known",
    sql: "insert into private.events (type, subject_id, data) values ($1, uuidv7(), '{}')",
    accepted: Object.keys(eventTypes),
    refused: ["profile.deleted", "Claim.Submitted", "claim.", ""],
    required: "type",
  },
  {
    rule: "notifications_kind_is_known",
    sql: `insert into parking.notifications (recipient_id, kind, message)
          select id, $1, 'News' from parking.profiles limit 1`,
    accepted: ["claim.submitted", "profile.approved", "spot.verified"],
    refused: ["claim.updated", "Claim.Submitted", "claim", ""],
    required: "kind",
  },
];

/** Writes each value in a transaction of its own, which is rolled back. */
async function write(client: ClientBase, form: Form): Promise<void> {
  const { rule, by, sql, accepted, refused, required } = form;
  const written = (value: unknown) =>
    rolledBack(client, async () => {
      if (by) await setClaims(client, claimsOf(people[by]));
      return client.query(sql, [value]);
    });
  await holdsForAll(accepted, async (value) => expect((await written(value)).rowCount).toBe(1));
  await holdsForAll(refused, (value) =>
    expect(written(value)).rejects.toMatchObject(refusedBy(rule)),
  );
  if (required) await expect(written(null)).rejects.toMatchObject(missing(required));
}

describe("the form of a value", () => {
  it("binds people who use direct SQL", () =>
    holdsForAll(
      forms.filter(({ by }) => by),
      (form) => withClient(building.database.url("parking_api"), (api) => write(api, form)),
    ));

  it("binds the owner of the database", () =>
    holdsForAll(forms, (form) =>
      withClient(building.database.url("parking_owner"), (owner) => write(owner, form)),
    ));
});
