import { describe, expect, it } from "@jest/globals";
import { type Spot, useBuilding } from "../../support/building.ts";
import { holdsForAll } from "../../support/table.ts";

const building = useBuilding({ connections: 2 });
const owner = building.shared("resident");

let spots = 0;
const register = async (building_section: string): Promise<Spot> => {
  spots += 1;
  const spot = { spot_number: `X-${spots}`, building_section };
  return (await owner.post<{ spot: Spot }>("/parking-spots", spot, 201)).body.spot;
};

/** Attacks on programs that build SQL, markup or commands from texts. */
const code = [
  "'; drop table parking.spots; --",
  "$1",
  "%s %1$s %n",
  "\\'; select 1 --",
  "\\u0000 \\x00",
  "E'\\\\'",
  "{{7*7}} <%= 7*7 %> #{7*7}",
  "<script>alert(1)</script>",
  '{"is_admin": true}',
  "null",
  "=cmd|' /C calc'!A0",
];

/** Ordinary texts with which careless programs have trouble. */
const letters = ["ﷺ", "e\u0301 is not é", "👩🏽 🚗", "x".repeat(100), "🚗".repeat(100), "İıſß"];

describe("a text", () => {
  it("is stored as it is, and found as it is", () =>
    holdsForAll([...code, ...letters], async (text) => {
      const spot = await register(text);
      expect(spot.building_section).toBe(text);
      const query = new URLSearchParams({ building_section: text });
      const { body } = await owner.get<{ spots: Spot[] }>(`/parking-spots?${query}`, 200);
      expect(body.spots).toEqual([spot]);
      const all = await building.rows("select count(*)::integer as count from parking.spots");
      expect(all).toEqual([{ count: spots }]);
    }));

  it("loses the white space at its ends", () =>
    holdsForAll([" ", "\t", "\n", "\r\n", "\u00a0", "\u3000", "\ufeff", "\u2028"], async (space) =>
      expect((await register(`${space}North${space}`)).building_section).toBe("North"),
    ));
});
