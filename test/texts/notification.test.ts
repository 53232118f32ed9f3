import { readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "@jest/globals";
import { withClient } from "../../src/database/client.ts";
import { de } from "../../src/texts/de.ts";
import { en } from "../../src/texts/en.ts";
import { mailKinds, notificationKinds } from "../../src/texts/kinds.ts";
import { sentenceOf, titleOf } from "../../src/texts/notification.ts";
import { timesIn } from "../../src/texts/times.ts";
import { useDatabase } from "../support/database.ts";

const span = { start_time: "2029-11-20T17:00:00.000Z", end_time: "2029-11-20T19:30:00.000Z" };
const facts = { spot_number: "A-101", ...span };
const now = Date.parse("2029-11-01T00:00:00Z");
const write = (kind: string, about: object, texts = en) =>
  sentenceOf(kind, about, texts, timesIn(texts.language, "Europe/Berlin", undefined, now));

describe("what a notification says", () => {
  it.each([
    [en, "Your claim on spot A-101 was cancelled: Tue 20 Nov, 18:00–20:30. Reason: Repairs"],
    [
      de,
      "Ihre Reservierung des Stellplatzes A-101 wurde storniert: Di., 20. Nov., 18:00–20:30 Uhr. Grund: Repairs",
    ],
  ])("is in the language and in the building's zone", (texts, expected) => {
    const written = write("claim.cancelled", { ...facts, reason: "Repairs" }, texts);
    // Versions of Unicode's data differ in the spaces around a dash.
    expect(written?.replace(/\s*–\s*/g, "–").replace(/\s/g, " ")).toBe(expected);
  });

  it("tells the owner of the spot from who claimed it", () => {
    expect(write("claim.deleted", { ...facts, is_owner: true })).toMatch(/^The claim on your/);
    expect(write("claim.deleted", facts)).toMatch(/^Your claim on/);
  });

  it("names who claimed to the owner, in sixty letters at most", () => {
    const named = { ...facts, is_owner: true, claimer_name: "Ada Lovelace" };
    for (const [texts, kind, said] of [
      [en, "claim.submitted", /^Ada Lovelace claimed your spot A-101: Tue/],
      [en, "claim.cancelled", /^Ada Lovelace's claim on your spot A-101 was cancelled: Tue/],
      [de, "claim.submitted", /^Ada Lovelace hat Ihren Stellplatz A-101 reserviert: Di/],
      [
        de,
        "claim.completed",
        /^Die Reservierung Ihres Stellplatzes A-101 durch Ada Lovelace wurde/,
      ],
    ] as const)
      expect(write(kind, named, texts)).toMatch(said);
    const long = write("claim.submitted", { ...named, claimer_name: "😀".repeat(200) });
    expect(long).toMatch(/^(😀){59}… claimed your spot/u);
  });

  it("says who of the staff did it for the claimer", () => {
    const own = { ...facts, actor_name: "Grace Hopper" };
    const owners = { ...own, is_owner: true, claimer_name: "Ada" };
    for (const [texts, kind, data, said] of [
      [en, "claim.submitted", own, /^Grace Hopper claimed spot A-101 for you: Tue/],
      [en, "claim.submitted", facts, /^Spot A-101 was claimed for you: Tue/],
      [en, "claim.submitted", owners, /^Grace Hopper claimed your spot A-101 for Ada: Tue/],
      [en, "claim.cancelled", own, /^Your claim on spot A-101 was cancelled by Grace Hopper: Tue/],
      [de, "claim.submitted", own, /^Grace Hopper hat Stellplatz A-101 für Sie reserviert: Di/],
      [de, "claim.submitted", facts, /^Stellplatz A-101 wurde für Sie reserviert: Di/],
      [de, "claim.submitted", owners, /^Grace Hopper hat Ihren Stellplatz A-101 für Ada reserv/],
      [de, "claim.cancelled", own, /A-101 wurde von Grace Hopper storniert: Di/],
    ] as const)
      expect(write(kind, data, texts)).toMatch(said);
  });

  it("says until when only the recipient can claim", () => {
    const offered = { offered_from: span.start_time, offered_until: span.end_time };
    expect(write("wish.fits", { ...facts, ...offered })).toMatch(/Only you can claim it: Tue/);
    expect(write("wish.fits", facts)).not.toMatch(/Only you/);
  });

  it("is unknown of an unknown kind", () => {
    expect([write("toString", facts), titleOf("pet.lost", en)]).toEqual([undefined, undefined]);
  });

  it.each(mailKinds)("is there for %s, in each language", (kind) => {
    for (const texts of [en, de]) {
      for (const text of [titleOf(kind, texts), write(kind, { ...facts, count: 2 }, texts)])
        expect(text).toMatch(/^\w.{5}[^<>{}]*$/);
    }
    expect(titleOf(kind, de)).not.toBe(titleOf(kind, en));
  });
});

describe("the kinds", () => {
  const database = useDatabase();

  it("are those that the database knows", async () => {
    await withClient(database.url("parking_owner"), async (owner) => {
      const { rows } = await owner.query(
        "select bool_and(private.is_notification_kind(k)) as known, private.are_mail_kinds($2) as mail from unnest($1::text[]) k",
        [notificationKinds, mailKinds],
      );
      expect(rows).toEqual([{ known: true, mail: true }]);
      const { rows: written } = await owner.query<{ source: string }>(
        "select prosrc as source from pg_proc where proname = 'is_notification_kind'",
      );
      const inSql = written[0]?.source.match(/'[a-z]+\.[a-z]+'/g) ?? [];
      expect(inSql.map((it) => it.slice(1, -1)).toSorted()).toEqual(notificationKinds.toSorted());
    });
  });
});

it("the texts import nothing that a browser lacks", async () => {
  const folder = new URL("../../src/texts/", import.meta.url);
  for (const file of await readdir(folder)) {
    const source = await readFile(new URL(file, folder), "utf8");
    for (const [, path] of source.matchAll(/from "([^"]+)"/g)) expect(path).toMatch(/^\.\/\w/);
  }
});
