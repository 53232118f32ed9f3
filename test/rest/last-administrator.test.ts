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

  it("may be set to administrator again", async () => {
    const flags = { is_approved: true, is_admin: true };

    expect(await change(administrator, administrator, flags)).toMatchObject({ status: 200 });
  });

  it("cannot be removed while the only other administrator is not approved", async () => {
    const waiting = await building.unapproved();
    await change(administrator, waiting, { is_admin: true });

    expect(answerOf(await change(administrator, administrator, { is_admin: false }))).toEqual(
      lastOne,
    );
    expect(await administratorsOf(building)).toEqual([administrator.id]);
  });

  it.each([{ is_admin: false }, { is_approved: false }])(
    "may be removed by %j once there is another, who is then the last",
    async (flags) => {
      const second = await building.administrator();

      expect(await change(administrator, administrator, flags)).toMatchObject({ status: 200 });
      expect(answerOf(await change(second, second, flags))).toEqual(lastOne);
      expect(await administratorsOf(building)).toEqual([second.id]);

      await change(second, administrator, { is_approved: true, is_admin: true });
      await change(administrator, second, { is_admin: false });
    },
  );
});
