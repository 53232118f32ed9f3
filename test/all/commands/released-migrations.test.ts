import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { type Checkout, makeCheckout } from "./checkout.ts";

const FILE = "migrations/committed/000001-foundation.sql";
const refusal = `${FILE} is part of a release`;

let checkout: Checkout;
beforeEach(async () => {
  checkout = await makeCheckout();
});
afterEach(() => checkout.remove());

describe("a migration that is part of a release", () => {
  it.each([
    ["changed", (text: string) => `${text}\n-- A comment.\n`],
    ["emptied", () => ""],
  ])("is missed by npm run check:drift where it was %s", async (_how, change) => {
    await checkout.write(FILE, change(await checkout.read(FILE)));
    expect(await checkout.run("commands/check-drift")).toEqual({
      code: 1,
      output: expect.stringContaining(`${refusal}, and databases have run it`),
    });
  });
});
