<<<<<<< HEAD
import { expect, it } from "@jest/globals";
import { type Item, pathOf } from "../../src/mail/link.ts";

const about: Item = { id: "n", claim_id: "c", spot_id: "s", message: "", data: {} };

it.each([
  ["claim.cancelled", [{ ...about, data: { is_owner: true } }], "/spots?spot=s"],
  ["claim.cancelled", [about], "/claims?claim=c"],
  ["claim.starts", [{ ...about, spot_id: null }], "/claims?claim=c"],
  ["spot.deleted", [{ ...about, claim_id: null }], "/claims"],
  ["wish.fits", [{ ...about, claim_id: null }], "/claims?wish=n"],
  ["profile.approved", [{ message: "", data: {} }], "/"],
  ["profiles.waiting", [{ message: "", data: {} }], "/accounts"],
  ["pet.lost", [{ message: "", data: null }], "/inbox"],
  ["claim.submitted", [about, about], "/inbox"],
] as const)("leads from %s %j to %s", (kind, items, path) => {
  expect(pathOf(kind, items)).toBe(path);
=======
import { describe, expect, it } from "@jest/globals";
import { pathOf } from "../../src/mail/link.ts";

describe("the link of a mail", () => {
  const item = { id: "i", claim_id: "c", spot_id: "s", message: "", data: {} };

  it.each([
    ["claim.submitted", { ...item, data: { is_owner: true } }, "/spots?spot=s"],
    ["claim.cancelled", item, "/claims?claim=c"],
    ["wish.fits", item, "/claims?wish=i"],
    ["profile.approved", item, "/"],
    ["profiles.waiting", item, "/accounts"],
    ["webhook.disabled", { message: "", data: {} }, "/webhooks"],
  ])("of %s leads to where the person sees to it", (kind, one, path) => {
    expect(pathOf(kind, [one])).toBe(path);
  });

  it("leads to the inbox where several things happened", () => {
    expect(pathOf("claim.cancelled", [item, item])).toBe("/inbox");
  });
>>>>>>> h-screens
});
