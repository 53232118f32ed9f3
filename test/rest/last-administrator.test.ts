import { beforeAll, describe, expect, it } from "@jest/globals";
import { answerOf, refusal } from "../support/answers.ts";
import { useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { administratorsOf } from "../support/rows.ts";

const building = useBuilding();
let administrator: Person;
beforeAll(async () => {
  administrator = await building.administrator();
});

const change = (by: Person, { id }: Person, flags: object) =>
  by.put(`/admin/profiles/${id}`, flags);

const lastOne = refusal(409, "The last administrator cannot be removed");

describe("the last administrator", () => {
  it.each([
    { is_admin: false },
    { is_approved: false },
    { is_approved: false, is_admin: false },
    { is_approved: true, is_admin: false },
  ])("cannot be removed by %j", async (flags) => {
    expect(answerOf(await change(administrator, administrator, flags))).toEqual(lastOne);
    expect(await administratorsOf(building)).toEqual([administrator.id]);
  });
});
