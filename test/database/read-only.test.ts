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

  it("can write for the first /profile with a token, to store what it says about the user", async () => {
    await resident.get("/profile", 200);
    const newcomer = await building.resident();
    expect(await readOnly("get_stored_profile", "/profile", "setof parking.profiles")).toEqual(
      refusal(500, "on"),
    );
    await building.rows(
      `create or replace function api.get_profile() returns parking.profiles language plpgsql as $$
       begin
         raise sqlstate 'PT500' using message = current_setting('transaction_read_only');
       end $$`,
    );
    expect(answerOf(await newcomer.get("/profile"))).toEqual(refusal(500, "off"));
  });

  it("begins with nothing for a process of 1.1.0, which then stores what the token says", async () => {
    expect((await resident.sql("select from api.get_known_profile()")).rows).toEqual([]);
  });
});
