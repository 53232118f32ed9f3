import { describe, expect, it } from "@jest/globals";
import { answerOf, refusal } from "../support/answers.ts";
import { useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";

const building = useBuilding();

const none = { mail: null, push: null, language: null, remind_minutes: null };
const some = {
  mail: ["claim.starts", "wish.fits"],
  push: ["wish.fits"],
  language: "de",
  remind_minutes: 30,
};

const read = async (person: Person) => answerOf(await person.get("/profile/preferences"));
const choose = async (person: Person, body: object) =>
  answerOf(await person.put("/profile/preferences", body));
const holding = (preferences: object) => ({ status: 200, body: { preferences } });

describe("/profile/preferences", () => {
  it("are the building's until the person chooses", async () => {
    const person = await building.resident();
    expect(await read(person)).toEqual(holding(none));
  });

  it("keep what a change does not name", async () => {
    const person = await building.resident();
    expect(await choose(person, some)).toEqual(holding(some));
    expect(await choose(person, { language: "en" })).toEqual(holding({ ...some, language: "en" }));
    expect(await choose(person, {})).toEqual(holding({ ...some, language: "en" }));
    expect(await read(person)).toEqual(holding({ ...some, language: "en" }));
  });

  it("are there before approval, and not before registration", async () => {
    const unapproved = await building.unapproved();
    expect(await choose(unapproved, some)).toEqual(holding(some));
    const newcomer = await building.newcomer();
    const absent = refusal(404, "User profile not found");
    expect([await read(newcomer), await choose(newcomer, some)]).toEqual([absent, absent]);
  });
});
