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
});
