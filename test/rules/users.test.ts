import { describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import { missing, refusedBy, tryWithClaims } from "./support.ts";

const building = useBuilding();

describe("users_email_is_an_address", () => {
  const broken = refusedBy("users_email_is_an_address");
  const longest = `${"x".repeat(314)}@a.com`;

  const insertUser = (email: string | null) =>
    building.rows("insert into private.users (id, email) values (uuidv7(), $1) returning email", [
      email,
    ]);
  const signIn = async (email: string) => {
    const { id } = await building.newcomer();
    return tryWithClaims(building, JSON.stringify({ sub: id, email }), async (api) => {
      const { rows } = await api.query("select email from private.remember_user()");
      return rows;
    });
  };

  it.each([
    { what: "the shortest address", email: "a@b" },
    { what: "320 characters", email: longest },
    { what: "letters of any script", email: "ž@пример.рф" },
  ])("accepts $what", async ({ email }) => {
    expect(await signIn(email)).toEqual([{ email }]);
    expect(await insertUser(email)).toEqual([{ email }]);
  });

  it.each([
    { what: "an empty text", email: "" },
    { what: "a text without @", email: "nobody" },
    { what: "nothing before the @", email: "@example.org" },
    { what: "nothing after the @", email: "nobody@" },
    { what: "321 characters", email: `x${longest}` },
    { what: "white space before it", email: " a@b" },
    { what: "white space after it", email: "a@b " },
    { what: "a line break", email: "a@b\nc" },
  ])("refuses $what", async ({ email }) => {
    await expect(signIn(email)).rejects.toMatchObject(broken);
    await expect(insertUser(email)).rejects.toMatchObject(broken);
    expect(await building.rows("select from private.users where email = $1", [email])).toEqual([]);
  });
});

describe("users_email_is_given", () => {
  it("refuses a person whose token has no address", async () => {
    const { id } = await building.newcomer();
    await expect(
      tryWithClaims(building, JSON.stringify({ sub: id }), (api) =>
        api.query("select private.remember_user()"),
      ),
    ).rejects.toMatchObject({ code: "23502", constraint: "users_email_is_given" });
  });

  it("refuses a user without an address", async () => {
    await expect(
      building.rows("insert into private.users (id, email) values (uuidv7(), null)"),
    ).rejects.toMatchObject(missing("email"));
  });
});
