import { describe, expect, it } from "@jest/globals";
import { answerOf, refusal } from "../support/answers.ts";
import { useBuilding } from "../support/building.ts";

const building = useBuilding();
const resident = building.shared("resident");

describe("the transaction of a GET", () => {
  /** Makes the function of an endpoint answer whether its transaction is read-only. */
  const readOnly = async (name: string, path: string, returns: string) => {
    await building.rows(
      `create or replace function api.${name}() returns ${returns} language plpgsql as $$
       begin
         raise sqlstate 'PT500' using message = current_setting('transaction_read_only');
       end $$`,
    );
    return answerOf(await resident.get(path));
  };

  it("cannot write", async () => {
    expect(await readOnly("recent_spots", "/dashboard", "setof parking.spots")).toEqual(
      refusal(500, "on"),
    );
  });

  it("cannot write for /profile, where the token says nothing new about the user", async () => {
    expect(await readOnly("get_known_profile", "/profile", "setof parking.profiles")).toEqual(
      refusal(500, "on"),
    );
  });

  it("can write for /profile, to store what a token says about the user", async () => {
    await building.rows(
      `create or replace function api.get_known_profile() returns setof parking.profiles
         language sql as 'select p.* from parking.profiles p where false'`,
    );
    expect(await readOnly("get_profile", "/profile", "parking.profiles")).toEqual(
      refusal(500, "off"),
    );
  });
});
