import { expect, it } from "@jest/globals";
import { type MailItem, pagePathOf } from "../../src/mail/letter.ts";

const about: MailItem = { id: "n", claim_id: "c", spot_id: "s", message: "", data: {} };

it.each([
  ["claim.cancelled", [{ ...about, data: { is_owner: true } }], "/spots?spot=s"],
  ["claim.cancelled", [about], "/claims?claim=c"],
  ["claim.starts", [{ ...about, spot_id: null }], "/claims?claim=c"],
  ["spot.deleted", [{ ...about, claim_id: null }], "/claims"],
  ["wish.fits", [{ ...about, claim_id: null }], "/claims?wish=n"],
  ["profile.approved", [{ message: "", data: {} }], "/"],
  ["profiles.waiting", [{ message: "", data: {} }], "/waiting"],
  ["profile.rejected", [{ message: "", data: {} }], "/profile"],
  ["report.submitted", [{ ...about, claim_id: null }], "/garage?gate=yes"],
  ["report.submitted", [about], "/claims?claim=c"],
  ["report.submitted", [{ ...about, data: { is_owner: true } }], "/spots?spot=s"],
  ["webhook.disabled", [{ message: "", data: {} }], "/webhooks"],
  ["pet.lost", [{ message: "", data: null }], "/inbox"],
  ["claim.submitted", [about, about], "/inbox"],
] as const)("leads from %s %j to %s", (kind, items, path) => {
  expect(pagePathOf(kind, items)).toBe(path);
});
