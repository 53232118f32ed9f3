import { afterEach, describe, expect, it } from "@jest/globals";
import { answerOf, complaint, malformed, refusal } from "../support/answers.ts";
import { spotOf, useBuilding } from "../support/building.ts";
import { noLimitsOfSection, type SectionLimits, setSectionLimits } from "../support/limits.ts";

interface Section {
  readonly building_section: string;
  readonly total_spots: number;
}
interface Listed {
  readonly sections: readonly Section[];
  readonly total: number;
}

const building = useBuilding();
const administrator = building.shared("administrator");
const resident = building.shared("resident");
afterEach(async () => {
  await building.rows("delete from parking.limits where building_section is not null");
  await building.rows("delete from parking.spots");
});

const own: Partial<SectionLimits> = { longest_claim_minutes: 240, most_active_claims: 1 };
const sectionOf = (name: string) => `/sections/${encodeURIComponent(name)}`;

it("GET /sections lists sections by name, with their numbers of spots and their own limits", async () => {
  for (const section of ["South", "North", "North"]) await spotOf(resident, section);
  await setSectionLimits(building, "North", own);

  expect((await resident.get<Listed>("/sections", 200)).body).toEqual({
    sections: [
      { building_section: "North", total_spots: 2, ...noLimitsOfSection, ...own },
      { building_section: "South", total_spots: 1, ...noLimitsOfSection },
    ],
    total: 2,
  });
  const { body } = await resident.get<Listed>("/sections?limit=1&offset=1", 200);
  expect([body.sections.map((it) => it.building_section), body.total]).toEqual([["South"], 2]);
});

describe("a section in the path", () => {
  it.each(["North garage", "2. Untergeschoß / Ost", "50 %", "a:id", "ü?#&+", "車庫", "+"])(
    "is encoded: %s",
    async (name) => {
      await spotOf(resident, name);
      const section = { building_section: name, total_spots: 1, ...noLimitsOfSection };

      expect((await resident.get(sectionOf(name), 200)).body).toEqual({ section });
      const changed = await administrator.put(`/admin${sectionOf(name)}`, own, 200);
      expect(changed.body).toEqual({ section: { ...section, ...own } });
    },
  );

  it("is checked as it is in a body", async () => {
    for (const name of ["x".repeat(101), "a\nb", "\u200b", " "]) {
      const refused = malformed("building_section");
      expect(complaint(await resident.get(sectionOf(name)))).toEqual(refused);
      expect(complaint(await administrator.put(`/admin${sectionOf(name)}`, {}))).toEqual(refused);
    }
    await spotOf(resident, "North");
    await resident.get(sectionOf(" North "), 200);
  });

  it("is not found where it is no section, whatever the name is", async () => {
    const absent = refusal(404, "Section not found");
    for (const name of ["Nowhere", resident.id, "north", ":building_section"]) {
      expect(answerOf(await resident.get(sectionOf(name)))).toEqual(absent);
      expect(answerOf(await administrator.put(`/admin${sectionOf(name)}`, own))).toEqual(absent);
    }
    expect(
      await building.rows("select from parking.limits where building_section is not null"),
    ).toEqual([]);
  });
});

describe("PUT /admin/sections/{building_section}", () => {
  const path = "/admin/sections/North";

  it("changes what it names; null is the building's limit again", async () => {
    await spotOf(resident, "North");
    const shown = { building_section: "North", total_spots: 1 };
    const put = async (body: object) => (await administrator.put(path, body, 200)).body;

    expect(await put(own)).toEqual({ section: { ...shown, ...noLimitsOfSection, ...own } });
    expect(await put({ horizon_days: 7 })).toEqual({
      section: { ...shown, ...noLimitsOfSection, ...own, horizon_days: 7 },
    });
    expect(await put({})).toEqual({
      section: { ...shown, ...noLimitsOfSection, ...own, horizon_days: 7 },
    });
    expect(await put(noLimitsOfSection)).toEqual({ section: { ...shown, ...noLimitsOfSection } });
  });

  it("clears the limits of a section that has no spots any more", async () => {
    await setSectionLimits(building, "North", own);

    expect((await administrator.put(path, noLimitsOfSection, 200)).body).toEqual({
      section: { building_section: "North", total_spots: 0, ...noLimitsOfSection },
    });
    expect(answerOf(await administrator.put(path, own))).toEqual(refusal(404, "Section not found"));
  });

  it("lets several administrators give a section its first limits at once", async () => {
    await spotOf(resident, "North");
    const changes = [{ horizon_days: 7 }, { claim_notice_minutes: 5 }, { longest_window_days: 3 }];

    await Promise.all(changes.map((change) => administrator.put(path, change, 200)));

    expect((await resident.get("/sections/North", 200)).body).toEqual({
      section: Object.assign(
        { building_section: "North", total_spots: 1 },
        noLimitsOfSection,
        ...changes,
      ),
    });
  });
});
