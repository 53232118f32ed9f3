import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { type Claim, claimOf, spotOf, useBuilding, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { backdateCreation, suspend, writePastRules } from "../support/rows.ts";
import { holdsForAll } from "../support/table.ts";
import { tell, wishOf } from "../support/wishes.ts";
import { tryAsOwner } from "./support.ts";

const building = useBuilding();
const asService = async <Row extends object>(sql: string, values: readonly unknown[] = []) =>
  (await building.service.pool.query<Row>(sql, [...values])).rows;

interface Mail {
  readonly email: string;
  readonly language: string;
  readonly items: readonly { readonly message: string; readonly data: object }[];
  readonly people: readonly { readonly name: string | null }[];
  readonly unsubscribe_key: string;
}
interface MailJob {
  readonly id: string;
  readonly data: { readonly kind: string; readonly recipient_id: string };
}

let owner: Person;
let claimer: Person;
beforeEach(async () => {
  await building.rows("delete from private.jobs");
  await building.rows("update parking.profiles set is_approved = true where not is_approved");
  await asService("select private.order_events()");
  await asService("select private.use_mail()");
  owner = await building.resident();
  claimer = await building.resident();
});
afterEach(() =>
  building.rows(
    "update parking.building set language = 'en', remind_minutes = 60, offer_minutes = null",
  ),
);

const order = () => asService("select private.order_events()");
const remind = () => asService("select private.add_due_mails()");
/** The jobs of mails to a person. */
const jobsTo = async ({ id }: Person) =>
  building.rows<MailJob>(
    "select id, data from private.jobs where kind = 'mail' and data ->> 'recipient_id' = $1 order by id",
    [id],
  );
const kindsTo = async (person: Person) => (await jobsTo(person)).map(({ data }) => data.kind);
/** What the mails of a person would say now. */
const mailsTo = async (person: Person) => {
  const mails: Mail[] = [];
  for (const { id } of await jobsTo(person))
    mails.push(...(await asService<Mail>("select * from private.get_mail($1)", [id])));
  return mails;
};
const claimed = async (from = 2, to = 4) =>
  claimOf(claimer, await windowOf(owner, await spotOf(owner), from, to));
const choose = (person: Person, choice: object) => person.put("/profile/preferences", choice, 200);

describe("a notification", () => {
  it("becomes a mail to who wants its kind", async () => {
    await choose(owner, { language: "de" });
    await claimed();
    await order();
    expect(await kindsTo(owner)).toEqual(["claim.submitted"]);
    const [mail, ...others] = await mailsTo(owner);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      email: owner.email,
      language: "de",
      items: [{ message: expect.stringContaining("was claimed"), data: { is_owner: true } }],
      unsubscribe_key: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(await kindsTo(claimer)).toEqual([]);
  });

  it("is none to who chose no mail, or not this kind", async () => {
    for (const mail of [[], ["claim.cancelled"]]) {
      await choose(owner, { mail });
      await claimed();
    }
    await order();
    expect(await kindsTo(owner)).toEqual([]);
  });

  it("follows the building where the person did not choose", async () => {
    await building.rows("update parking.building set mail = '{wish.fits}', language = 'de'");
    await claimed();
    await order();
    expect(await kindsTo(owner)).toEqual([]);
    await building.rows("update parking.building set mail = default");
    await claimed(6, 7);
    await order();
    expect((await mailsTo(owner))[0]?.language).toBe("de");
  });

  it.each([
    ["who is suspended", (who: Person) => suspend(building, who)],
    [
      "whose address nobody confirmed",
      ({ id }: Person) =>
        building.rows("update private.users set email_confirmed_at = null where id = $1", [id]),
    ],
    ["who is erased", ({ id }: Person) => building.rows("select private.erase_person($1)", [id])],
    ["who wants no mail any more", (who: Person) => choose(who, { mail: [] })],
    [
      "who has read it",
      ({ id }: Person) =>
        building.rows("update parking.notifications set is_read = true where recipient_id = $1", [
          id,
        ]),
    ],
  ])("says nothing any more to somebody %s", async (_who, change) => {
    await claimed();
    await order();
    expect(await mailsTo(owner)).toHaveLength(1);
    await change(owner);
    expect(await mailsTo(owner)).toEqual([]);
  });

  it("is one mail for a series, also in several transactions", async () => {
    await claimed(2, 3);
    await claimed(4, 5);
    await order();
    // The mail has not left, on a slow machine either.
    await building.rows(
      "update private.jobs set run_at = now() + interval '1 hour', pause = interval '1 hour'",
    );
    await claimed(6, 7);
    await order();
    expect(await kindsTo(owner)).toEqual(["claim.submitted"]);
    expect((await mailsTo(owner))[0]?.items).toHaveLength(3);
  });

  it("is another mail once the first was taken", async () => {
    await claimed(2, 3);
    await order();
    await building.rows("update private.jobs set attempts = 1, run_at = now() + interval '1 hour'");
    await claimed(4, 5);
    await order();
    expect(await kindsTo(owner)).toEqual(["claim.submitted", "claim.submitted"]);
  });

  it("waits for more of its kind once there were ten in a day: nobody floods a neighbour", async () => {
    const waits = async () => {
      await claimed();
      await order();
      const [job] = await building.rows<{ waits: boolean }>(
        `select run_at > created_at + interval '50 minutes' as waits
           from private.jobs
          where data ->> 'recipient_id' = $1 and ended_at is null`,
        [owner.id],
      );
      await building.rows("update private.jobs set ended_at = now() where ended_at is null");
      return job?.waits;
    };
    const before = `select private.add_job('mail', 'before.' || i,
                      jsonb_build_object('kind', $1::text, 'recipient_id', $2::uuid))
                      from generate_series(1, 20) i`;
    await building.rows(before, ["claim.cancelled", owner.id]);
    await building.rows(before.replace("before.", "other."), ["claim.submitted", claimer.id]);
    await building.rows(before.replace("before.", "own.").replace("20", "9"), [
      "claim.submitted",
      owner.id,
    ]);
    await building.rows("update private.jobs set ended_at = now() where key <> 'timed'");
    expect(await waits()).toBe(false);
    expect(await waits()).toBe(true);
    await building.rows("update private.jobs set created_at = now() - interval '25 hours'");
    expect(await waits()).toBe(false);
  });

  it("is not mailed when it was resolved meanwhile", async () => {
    const claim = await claimed();
    await claimer.delete(`/claims/${claim.id}`, 200);
    await order();
    const said = (await mailsTo(owner)).flatMap(({ items }) => items.map(({ message }) => message));
    expect(said).toEqual([expect.stringMatching(/was deleted$/)]);
  });

  it("is not mailed when the turn that it tells of is over", async () => {
    await building.rows("update parking.building set offer_minutes = 30");
    const [first, second] = [await wishOf(claimer), await wishOf(owner)];
    const neighbour = await building.resident();
    await windowOf(neighbour, await spotOf(neighbour));
    await tell(building);
    await order();
    expect([await mailsTo(claimer), await mailsTo(owner)]).toMatchObject([
      [{ items: [{ id: first.id }] }],
      [{ items: [{ id: second.id }] }],
    ]);
    await building.rows(
      `update parking.notifications
          set data = data || jsonb_build_object('offered_until', private.iso8601(now()))
        where id = $1`,
      [first.id],
    );
    expect([await mailsTo(claimer), await mailsTo(owner)]).toMatchObject([[], [{}]]);
  });

  it("is no mail where no process has sent any for days", async () => {
    await claimed();
    await order();
    await building.rows(
      "update private.jobs set run_at = now() - interval '4 days' where kind = 'reminders'",
    );
    await asService("select private.prune()");
    expect(
      await building.rows("select from private.jobs where kind in ('mail', 'reminders')"),
    ).toEqual([]);
    await claimed(6, 7);
    await order();
    expect(await kindsTo(owner)).toEqual([]);
  });
});

describe("a reminder", () => {
  /** Gives a claim other times, in minutes from now. */
  const pass = ({ id }: Claim, from: number, to: number) =>
    writePastRules(
      building,
      `update parking.claims
          set start_time = now() + make_interval(mins => $2), end_time = now() + make_interval(mins => $3)
        where id = $1`,
      [id, from, to],
    );
  const longAgo = (claim: Claim) => backdateCreation(building, "claims", claim);

  it("comes before a claim starts, and before one ends that lasts longer, as early as its person says", () =>
    holdsForAll<readonly [from: number, to: number, choice: object, isOld: boolean, kind: string]>(
      [
        [55, 240, {}, true, "claim.starts"],
        [65, 240, {}, true, ""],
        [170, 240, { remind_minutes: 180 }, true, "claim.starts"],
        [170, 240, { remind_minutes: 180 }, false, ""], // they have just claimed
        [-180, 55, {}, true, "claim.ends"],
        [-3, 55, {}, true, ""],
      ],
      async ([from, to, choice, isOld, kind]) => {
        claimer = await building.resident();
        await choose(claimer, choice);
        const claim = await claimed(2, 4);
        if (isOld) await longAgo(claim);
        await pass(claim, from, to);
        for (const _ of Array(2)) await remind();
        expect((await kindsTo(claimer)).join()).toBe(kind);
      },
    ));

  it("comes again for another start, and of the start that the claim has now", async () => {
    const claim = await claimed(2, 4);
    await longAgo(claim);
    for (const from of [55, 50]) {
      await pass(claim, from, 240);
      await remind();
    }
    expect(await kindsTo(claimer)).toEqual(["claim.starts", "claim.starts"]);
    expect(await mailsTo(claimer)).toMatchObject([{ items: [{}] }]);
  });

  it("does not come of a claim that was cancelled, before it or meanwhile", async () => {
    await choose(claimer, { remind_minutes: 300 });
    const [first, second] = [await claimed(2, 4), await claimed(2, 4)];
    for (const claim of [first, second]) await longAgo(claim);
    await claimer.put(`/claims/${first.id}`, { status: "cancelled" }, 200);
    await remind();
    expect(await kindsTo(claimer)).toEqual(["claim.starts"]);
    await claimer.put(`/claims/${second.id}`, { status: "cancelled" }, 200);
    expect(await mailsTo(claimer)).toEqual([]);
  });

  it("is left out where it comes too late", async () => {
    const claim = await claimed(2, 4);
    await longAgo(claim);
    await pass(claim, 30, 240);
    await remind();
    expect(await mailsTo(claimer)).toHaveLength(1);
    await pass(claim, -6, 240);
    expect(await mailsTo(claimer)).toEqual([]);
  });
});

describe("the list of who waits for approval", () => {
  let administrator: Person;
  beforeEach(async () => {
    administrator = await building.administrator();
    await zoneWithHour(12);
  });
  afterEach(() => building.rows("update parking.building set time_zone = 'UTC'"));

  /** Sets a zone of the building where it is about this hour now. */
  const zoneWithHour = async (hour: number) => {
    const offset = ((hour - new Date().getUTCHours() + 36) % 24) - 12;
    const sign = offset > 0 ? "-" : "+"; // as POSIX has it
    await building.rows("update parking.building set time_zone = $1", [
      offset === 0 ? "UTC" : `Etc/GMT${sign}${Math.abs(offset)}`,
    ]);
  };

  it("goes to administrators once a day, while somebody waits", async () => {
    await remind();
    expect(await kindsTo(administrator)).toEqual([]);
    const person = await building.unapproved();
    await person.put("/profile", { full_name: "Zoe Quux" }, 200);
    await remind();
    await remind();
    expect(await kindsTo(administrator)).toEqual(["profiles.waiting"]);
    expect(await kindsTo(owner)).toEqual([]);
    expect(await mailsTo(administrator)).toMatchObject([
      { items: [{ data: { count: 1 } }], people: [{ name: "Zoe Quux" }] },
    ]);
    await administrator.put(`/admin/profiles/${person.id}`, { is_approved: true }, 200);
    expect(await mailsTo(administrator)).toEqual([]);
  });

  it("waits for the morning", async () => {
    await zoneWithHour(3);
    await building.unapproved();
    await remind();
    expect(await kindsTo(administrator)).toEqual([]);
  });

  it("does not list who was suspended, and not for ever who is left waiting", async () => {
    await suspend(building, claimer);
    await building.rows(`do $$ begin -- as those that are old go
      set local parking.pruning = 'on';
      delete from private.events;
    end $$`);
    await remind();
    expect(await kindsTo(administrator)).toEqual([]);
    const { id } = await building.unapproved();
    await building.rows(
      "update parking.profiles set created_at = now() - interval '8 days' where id = $1",
      [id],
    );
    await remind();
    expect(await kindsTo(administrator)).toEqual([]);
  });
});

it("an invitation is mailed to who has no account yet", async () => {
  const administrator = await building.administrator();
  const email = `${crypto.randomUUID()}@new.example`;
  const invitations = [{ email, apartment_number: "1" }];
  await administrator.post("/admin/invitations", { invitations }, 201);
  await administrator.post(
    "/admin/invitations",
    { invitations: [{ email: claimer.email, apartment_number: "2" }] },
    201,
  );
  const jobs = await building.rows<MailJob>(
    "select id, data from private.jobs where key like 'inv%'",
  );
  expect(jobs).toHaveLength(2);
  const mails = [];
  for (const { id } of jobs)
    mails.push(...(await asService<Mail>("select * from private.get_mail($1)", [id])));
  expect(mails).toMatchObject([{ email, unsubscribe_key: null }]);
});

describe("the key that ends mails", () => {
  const keyOf = async ({ id }: Person) =>
    (await building.rows<{ key: string }>("select private.unsubscribe_key($1) as key", [id]))[0]
      ?.key ?? "";
  const end = async (key: string) =>
    (await asService<{ ended: boolean }>("select private.unsubscribe($1) as ended", [key]))[0]
      ?.ended;
  const mailOf = async (person: Person) =>
    (await person.get<{ preferences: { mail: unknown } }>("/profile/preferences", 200)).body
      .preferences.mail;

  it("ends those of its person, and of nobody else", async () => {
    await choose(owner, { language: "de" });
    expect(await end(await keyOf(owner))).toBe(true);
    expect([await mailOf(owner), await mailOf(claimer)]).toEqual([[], null]);
    expect(await end(await keyOf(claimer))).toBe(true);
    expect(await mailOf(claimer)).toEqual([]);
  });

  it("cannot be made up", async () => {
    const key = await keyOf(owner);
    const other = await keyOf(claimer);
    for (const wrong of [
      "",
      "x".repeat(43),
      "_".repeat(43),
      key.slice(0, 42),
      `${key}A`,
      key.slice(0, 21) + other.slice(21),
      `${"A".repeat(22)}${key.slice(22)}`,
    ])
      expect([wrong, await end(wrong)]).toEqual([wrong, false]);
    expect([await mailOf(owner), await mailOf(claimer)]).toEqual([null, null]);
  });
});

describe("the key of mails", () => {
  it("takes a new key, with which those of older mails are not valid any more", async () => {
    const { id } = await building.resident();
    const keyOf = async () =>
      (await building.rows("select private.unsubscribe_key($1) as key", [id]))[0];
    const before = await keyOf();
    await building.rows("update private.mail_key set key = sha256(uuid_send(gen_random_uuid()))");
    expect(await keyOf()).not.toEqual(before);
  });

  it("lets nobody end mails where there is none, as after a restore without it", async () => {
    const { id } = await building.resident();
    await tryAsOwner(building, async (owner) => {
      const { rows: made } = await owner.query("select private.unsubscribe_key($1) as key", [id]);
      await owner.query("delete from private.mail_key");
      const { rows } = await owner.query("select private.unsubscribe($1) as ended", [made[0].key]);
      expect(rows).toEqual([{ ended: false }]);
    });
  });
});

describe("private.unsubscribe", () => {
  it("writes nothing where the mails have ended", async () => {
    const { id } = await building.resident();
    await tryAsOwner(building, async (owner) => {
      const end = async () => {
        await owner.query("select private.unsubscribe(private.unsubscribe_key($1))", [id]);
        const sql = "select ctid, xmin, xmax, mail from parking.preferences where person_id = $1";
        return (await owner.query(sql, [id])).rows;
      };
      const ended = await end();
      expect(ended).toMatchObject([{ mail: [] }]);
      expect(await end()).toEqual(ended);
    });
  });

  it("ends mails that were chosen again", async () => {
    const { id } = await building.resident();
    await tryAsOwner(building, async (owner) => {
      const end = "select private.unsubscribe(private.unsubscribe_key($1))";
      await owner.query(end, [id]);
      await owner.query("update parking.preferences set mail = null where person_id = $1", [id]);
      await owner.query(end, [id]);
      const sql = "select mail from parking.preferences where person_id = $1";
      expect((await owner.query(sql, [id])).rows).toEqual([{ mail: [] }]);
    });
  });
});
