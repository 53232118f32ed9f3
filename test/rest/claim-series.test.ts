import { beforeEach, describe, expect, it } from "@jest/globals";
import { send } from "../graphql/ask.ts";
import { answerOf, refusal } from "../support/answers.ts";
import { type Spot, spotOf, useBuilding } from "../support/building.ts";
import { type Series, series, seriesOf } from "../support/claim-series.ts";
import { setLimits } from "../support/limits.ts";
import { dayAfter, patternOf, setPatternDays, setZone, threeDays } from "../support/patterns.ts";
import { type Person, requestJson } from "../support/person.ts";
import { tell, wishOf } from "../support/wishes.ts";

const building = useBuilding({ rateLimits: { perMinute: 1000, perHour: 0 } });
let owner: Person;
let claimer: Person;
let spot: Spot;
beforeEach(async () => {
  await setPatternDays(building, 28);
  await setLimits(building, {});
  [owner, claimer] = [await building.resident(), await building.resident()];
  spot = await spotOf(owner);
  await patternOf(owner, threeDays(spot)); // 08:00 to 18:00 on the days 3, 4 and 5
});

const ofSpot = (more: object = {}) => series({ spot_id: spot.id, ...more });
const preview = async (body: object, person = claimer) =>
  (await person.post<Pick<Series, "days">>("/claims/series/preview", body, 200)).body.days;
type Claims = { claims: readonly { id: string; status: string; start_time: string }[] };
const claims = async (path = "/claims", person = claimer) =>
  (await person.get<Claims>(path, 200)).body.claims;
const said = ({ days }: Pick<Series, "days">) =>
  days.map(({ day, spot_number, reason }) => [day, spot_number ?? reason]);

describe("POST /claims/series", () => {
  it("claims the hours of each day that somebody shares, as claims of one series", async () => {
    const answer = await seriesOf(claimer, ofSpot({ last_day: dayAfter(6) }));
    expect(said(answer)).toEqual([
      ...[3, 4, 5].map((day) => [dayAfter(day), spot.spot_number]),
      [dayAfter(6), null],
    ]);
    expect(answer.days[0]).toMatchObject({
      start_time: `${dayAfter(3)}T09:00:00.000Z`,
      end_time: `${dayAfter(3)}T12:00:00.000Z`,
      availability_id: expect.any(String),
    });
    expect(answer.days[3]).toMatchObject({ availability_id: null, reason: null });
    const made = await claims(`/claims/series/${answer.series_id}`);
    expect(made.map(({ start_time }) => start_time)).toEqual(
      answer.days.slice(0, 3).map(({ start_time }) => start_time),
    );
    expect(made).toEqual((await claims()).toReversed());
    expect(new Set(made.map((claim) => Object(claim).series_id))).toEqual(
      new Set([answer.series_id]),
    );
  });

  it("leaves out what a rule of claims refuses, with its message, and keeps the rest", async () => {
    await setLimits(building, { most_active_claims: 2 });
    const { spot_number } = spot;
    expect(said(await seriesOf(claimer, ofSpot())).map(([, what]) => what)).toEqual([
      spot_number,
      spot_number,
      "You have as many claims that have not ended as the building allows",
    ]);
    expect(await claims()).toHaveLength(2);
  });

  it("takes the spot that serves most of the days, and another where that one is taken", async () => {
    await patternOf(owner, { ...threeDays(spot), first_day: dayAfter(7), last_day: dayAfter(7) });
    const body = series({ building_section: spot.building_section, last_day: dayAfter(7) });
    const other = await building.resident();
    const second = await spotOf(other, spot.building_section);
    await patternOf(other, { ...threeDays(second), last_day: dayAfter(9) });
    expect(said(await seriesOf(claimer, body)).map(([, what]) => what)).toEqual(
      [3, 4, 5, 6, 7].map(() => second.spot_number),
    );
    expect(said(await seriesOf(await building.resident(), body)).map(([, what]) => what)).toEqual(
      [3, 4, 5, 6, 7].map((day) => (day === 6 ? null : spot.spot_number)),
    );
  });

  it("takes a favorite spot, else one of the caller's section, where several serve as many days", async () => {
    const [near, favorite] = [await spotOf(owner, "Near"), await spotOf(owner, "Far")];
    for (const one of [near, favorite]) await patternOf(owner, threeDays(one));
    await spotOf(claimer, "Near");
    const spots = async () => new Set((await preview(series())).map((day) => day.spot_number));
    expect(await spots()).toEqual(new Set([near.spot_number]));
    await claimer.post("/favorite-spots", { spot_id: favorite.id }, 201);
    expect(await spots()).toEqual(new Set([favorite.spot_number]));
  });

  it("claims all or none of them, where the caller says so", async () => {
    const answer = await claimer.post(
      "/claims/series",
      ofSpot({ last_day: dayAfter(6), all_or_none: true }),
    );
    expect(answerOf(answer)).toEqual(refusal(409, "Not all of these days can be claimed"));
    expect(await claims()).toEqual([]);
    expect((await seriesOf(claimer, ofSpot({ all_or_none: true }))).days).toHaveLength(3);
  });

  it("leaves out days that have begun, and claims nights", async () => {
    await patternOf(owner, {
      ...threeDays(spot),
      ...{ starts_at: "20:00", ends_at: "07:00", first_day: dayAfter(-2), last_day: dayAfter(4) },
    });
    const now = new Date().toISOString();
    const nights = ofSpot({ starts_at: "22:00", ends_at: "06:00", first_day: dayAfter(-2) });
    const { days } = await seriesOf(claimer, nights);
    expect(days.every(({ start_time }) => start_time > now)).toBe(true);
    expect(days.at(-2)).toMatchObject({
      start_time: `${dayAfter(4)}T22:00:00.000Z`,
      end_time: `${dayAfter(5)}T06:00:00.000Z`,
      spot_number: spot.spot_number,
    });
    expect(days.at(-1)).toMatchObject({ day: dayAfter(5), spot_number: null });
  });

  it("answers a repeated request with the same key as it did the first time", async () => {
    const headers = { "Idempotency-Key": "one" };
    const options = { token: claimer.token, body: ofSpot(), headers };
    const send = () => requestJson(building.service.origin, "POST", "/api/claims/series", options);
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual(first.body);
    expect(await claims()).toHaveLength(3);
  });

  it("says until when somebody who waits has the turn", async () => {
    await setLimits(building, { offer_minutes: 60 });
    const wisher = await building.resident();
    const [start_time, end_time] = ["09", "12"].map((hour) => `${dayAfter(3)}T${hour}:00:00.000Z`);
    const another = await spotOf(owner);
    await wisher.post("/wishes", { start_time, end_time, spot_id: another.id }, 201);
    await patternOf(owner, threeDays(another));
    await tell(building);
    const body = series({ spot_id: another.id });
    const [first, ...others] = (await seriesOf(claimer, body)).days;
    expect(first?.reason).toMatch(
      /^Until \d{4}-\d\d-\d\d \d\d:\d\d this is offered to somebody who waited for it$/,
    );
    expect(others.map(({ spot_number }) => spot_number)).toEqual(
      [1, 2].map(() => another.spot_number),
    );
  });

  it("tells the owner of each claim", async () => {
    await seriesOf(claimer, ofSpot());
    expect((await owner.get("/notifications", 200)).body).toMatchObject({ total: 3 });
  });
});

describe("POST /claims/series/preview", () => {
  it("says what POST then does, and changes nothing", async () => {
    await setLimits(building, { most_active_claims: 2 });
    const wisher = await wishOf(await building.resident(), 90, 91);
    const state = async () =>
      building.rows(
        `select (select count(*) from private.new_events)
              + (select count(*) from private.events) as events,
                (select count(*) from private.jobs) as jobs,
                (select count(*) from parking.notifications) as notifications,
                (select array_agg(d order by d.id) from private.day_counts d) as days`,
      );
    const before = await state();
    const body = series({ first_day: dayAfter(1), last_day: dayAfter(8) });
    const days = await preview(body);
    expect(await state()).toEqual(before);
    expect(await claims()).toEqual([]);
    expect((await seriesOf(claimer, body)).days).toEqual(days);
    expect(wisher).toBeDefined();
  });

  it("is in the time zone of the building, also where its clock changes", async () => {
    await setZone(building, "Europe/Berlin");
    try {
      const days = await preview(
        series({
          weekdays: ["SA", "SU", "MO"],
          ...{
            starts_at: "02:30",
            ends_at: "03:00",
            first_day: "2030-03-30",
            last_day: "2030-04-01",
          },
        }),
      );
      expect(days.map(({ start_time, end_time }) => [start_time, end_time])).toEqual([
        ["2030-03-30T01:30:00.000Z", "2030-03-30T02:00:00.000Z"],
        ["2030-03-31T01:00:00.000Z", "2030-03-31T01:00:00.000Z"],
        ["2030-04-01T00:30:00.000Z", "2030-04-01T01:00:00.000Z"],
      ]);
    } finally {
      await setZone(building, "UTC");
    }
  });
});

describe("PUT /claims/series/{id}", () => {
  const cancel = async (id: string, more: object = {}) => {
    const body = { status: "cancelled", ...more };
    type Cancelled = { cancelled_claim_ids: readonly string[] };
    return (await claimer.put<Cancelled>(`/claims/series/${id}`, body, 200)).body
      .cancelled_claim_ids;
  };

  it("cancels those that have not begun, from a day on", async () => {
    const { series_id } = await seriesOf(claimer, ofSpot());
    const ids = (await claims(`/claims/series/${series_id}`)).map(({ id }) => id);
    expect(await cancel(series_id, { first_day: dayAfter(4) })).toEqual(ids.slice(1));
    expect(await cancel(series_id)).toEqual(ids.slice(0, 1));
    expect(await cancel(series_id)).toEqual([]);
    const statuses = (await claims(`/claims/series/${series_id}`)).map(({ status }) => status);
    expect(statuses).toEqual(["cancelled", "cancelled", "cancelled"]);
  });

  it("is of the claimer alone, also by SQL", async () => {
    const { series_id } = await seriesOf(claimer, ofSpot());
    const notFound = refusal(404, "Claim not found");
    expect(
      answerOf(await owner.put(`/claims/series/${series_id}`, { status: "cancelled" })),
    ).toEqual(notFound);
    await expect(
      owner.sql("select * from api.cancel_claim_series($1, 'cancelled')", [series_id]),
    ).rejects.toMatchObject({ code: "PT404" });
    expect(answerOf(await owner.get(`/claims/series/${series_id}`))).toEqual(notFound);
    const seen = await claims("/claims", owner);
    expect(seen.map(({ status }) => status)).toEqual(["active", "active", "active"]);
  });
});

it("GraphQL claims a series and cancels it", async () => {
  const input = {
    ...{ weekdays: series().weekdays, startsAt: "09:00", endsAt: "12:00", spotId: spot.id },
    ...{ firstDay: dayAfter(3), lastDay: dayAfter(5) },
  };
  const made = await send<{ createClaimSeries: { seriesId: string } }>(
    building,
    claimer,
    "mutation ($input: CreateClaimSeriesInput!) { createClaimSeries(input: $input) { seriesId } }",
    { input },
  );
  const id = made.body.data?.createClaimSeries.seriesId;
  expect(await claims(`/claims/series/${id}`)).toHaveLength(3);
  const cancelled = await send<{ cancelClaimSeries: { cancelledClaimIds: string[] } }>(
    building,
    claimer,
    `mutation ($id: UUID!) { cancelClaimSeries(input: { id: $id, status: "cancelled" }) {
       cancelledClaimIds } }`,
    { id },
  );
  expect(cancelled.body.data?.cancelClaimSeries.cancelledClaimIds).toHaveLength(3);
});

describe("the rate limit", () => {
  const left = (headers: Headers) => Number(headers.get("X-RateLimit-Remaining"));
  const used = async (ask: () => Promise<{ headers: Headers }>) => {
    const before = left((await claimer.get("/building", 200)).headers);
    return before - left((await ask()).headers);
  };
  const daily = (days: number) => ofSpot({ first_day: dayAfter(1), last_day: dayAfter(days) });

  it("counts a series as many requests as it has days, a preview as a tenth", async () => {
    expect(await used(() => claimer.post("/claims/series", daily(25), 201))).toBe(25);
    expect(await used(() => claimer.post("/claims/series/preview", daily(25), 200))).toBe(3);
    expect(await used(() => claimer.post("/claims/series", daily(180), 400))).toBe(60);
    const mutation = `mutation ($input: CreateClaimSeriesInput!) {
      createClaimSeries(input: $input) { seriesId } }`;
    const { weekdays, first_day, last_day } = daily(12);
    const input = {
      ...{ weekdays, startsAt: "13:00", endsAt: "14:00" },
      ...{ firstDay: first_day, lastDay: last_day },
    };
    expect(await used(() => send(building, claimer, mutation, { input }))).toBe(12);
  });
});
