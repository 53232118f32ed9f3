import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { answerOf, complaint, malformed, refusal } from "../support/answers.ts";
import {
  type Claim,
  claimOf,
  type Spot,
  spotOf,
  useBuilding,
  type Window,
  windowOf,
} from "../support/building.ts";
import { type Person, requestJson } from "../support/person.ts";
import { holdsForAll } from "../support/table.ts";
import { bodyOf } from "./times.ts";

const building = useBuilding();
let owner: Person;
let claimer: Person;
let stranger: Person;
let administrator: Person;
let unapproved: Person;
/** A claimer of a completed claim whose approval was taken back afterwards. */
let dismissed: Person;
let spot: Spot;
let taken: Spot;
let free: Window;
let claimed: Window;
let active: Claim;
let completed: Claim;
beforeAll(async () => {
  owner = await building.resident();
  claimer = await building.resident();
  stranger = await building.resident();
  administrator = await building.administrator();
  unapproved = await building.unapproved();
  dismissed = await building.resident();

  spot = await spotOf(owner);
  taken = await spotOf(owner);
  free = await windowOf(owner, spot, 10, 20);
  claimed = await windowOf(owner, spot, 30, 40);
  active = await claimOf(claimer, claimed);
  completed = await claimOf(dismissed, await windowOf(owner, spot, 50, 60));
  await dismissed.put(`/claims/${completed.id}`, { status: "completed" }, 200);
  await administrator.put(`/admin/profiles/${dismissed.id}`, { is_approved: false }, 200);
});

const backwards = bodyOf({ from: 15, to: 12 });
const past = bodyOf({ from: -5, to: -3 });
const send = (method: string, path: string, options: { token?: string; body?: unknown } = {}) =>
  requestJson<{ error: string }>(building.service.origin, method, `/api${path}`, options);

describe("a missing token comes before", () => {
  it.each([
    ["an unknown path", "GET", "/nowhere", undefined],
    ["a wrong method", "PATCH", "/claims", undefined],
    ["a malformed query", "GET", "/claims?limit=0", undefined],
    ["a malformed id", "GET", "/claims/1", undefined],
    ["a body that is not JSON", "POST", "/claims", "{"],
    ["an absent row", "GET", `/claims/${randomUUID()}`, undefined],
    ["a rule", "POST", "/claims", { availability_id: randomUUID(), ...backwards }],
  ])("%s", async (_case, method, path, body) => {
    expect(answerOf(await send(method, path, { body }))).toEqual(
      refusal(401, "Authentication required"),
    );
  });
});

describe("an unknown path comes before", () => {
  it("a malformed query", async () => {
    expect(answerOf(await stranger.get("/nowhere?limit=0"))).toEqual(refusal(404, "Not found"));
  });

  it("a body that is not JSON", async () => {
    expect(answerOf(await stranger.post("/nowhere", "{"))).toEqual(refusal(404, "Not found"));
  });

  it("an account that is not approved", async () => {
    expect(answerOf(await unapproved.get("/nowhere"))).toEqual(refusal(404, "Not found"));
  });
});

describe("a wrong method comes before", () => {
  it.each([
    ["a malformed query", () => stranger, "/claims?limit=0"],
    ["a malformed id", () => stranger, "/claims/1"],
    ["an account that is not approved", () => unapproved, "/claims"],
    ["an absent row", () => stranger, `/claims/${randomUUID()}`],
  ])("%s", async (_case, someone, path) => {
    const { token } = someone();

    expect(answerOf(await send("PATCH", path, { token }))).toEqual(
      refusal(405, "Method not allowed"),
    );
  });
});

describe("a malformed request comes before", () => {
  it("an account that is not approved", async () => {
    expect(complaint(await unapproved.get("/claims?limit=0"))).toEqual(malformed("limit"));
    expect(complaint(await unapproved.get("/claims/1"))).toEqual(malformed("id"));
    expect(complaint(await unapproved.put(`/claims/${active.id}`, { status: "lost" }))).toEqual(
      malformed("status"),
    );
  });

  it("missing administrator rights", async () => {
    expect(complaint(await stranger.get("/admin/profiles?limit=0"))).toEqual(malformed("limit"));
  });

  it("an absent row", async () => {
    const answer = await stranger.put(`/claims/${randomUUID()}`, { status: "lost" });

    expect(complaint(answer)).toEqual(malformed("status"));
  });

  it("a row that is not the caller's", async () => {
    const answer = await stranger.put(`/parking-spots/${spot.id}`, { spot_number: "" });

    expect(complaint(answer)).toEqual(malformed("spot_number"));
  });

  it("a rule", async () => {
    const answer = await claimer.post("/claims", {
      availability_id: claimed.id,
      ...backwards,
      status: "active",
    });

    expect(complaint(answer)).toEqual(malformed("status"));
  });
});

describe("an account that is not approved comes before", () => {
  const notApproved = refusal(403, "Account not approved");

  it("an absent row", async () => {
    expect(answerOf(await unapproved.get(`/claims/${randomUUID()}`))).toEqual(notApproved);
  });

  it("a row that is not the caller's", async () => {
    expect(answerOf(await unapproved.delete(`/parking-spots/${spot.id}`))).toEqual(notApproved);
  });

  it("a rule", async () => {
    expect(answerOf(await dismissed.delete(`/claims/${completed.id}`))).toEqual(notApproved);
    expect(
      answerOf(await unapproved.post("/claims", { availability_id: free.id, ...past })),
    ).toEqual(notApproved);
  });

  it("missing administrator rights", async () => {
    expect(answerOf(await unapproved.get("/admin/profiles"))).toEqual(notApproved);
  });
});

describe("missing administrator rights come before an absent row", () => {
  it.each([
    ["/admin/profiles", { is_approved: true }],
    ["/admin/parking-spots", { is_verified: true }],
  ])("at %s", async (path, change) => {
    expect(answerOf(await stranger.put(`${path}/${randomUUID()}`, change))).toEqual(
      refusal(403, "Administrator privileges required"),
    );
  });
});

describe("an absent row comes before a rule", () => {
  it.each([
    ["POST", "/availabilities", { spot_id: randomUUID() }, "Parking spot not found"],
    ["POST", "/claims", { availability_id: randomUUID() }, "Availability not found"],
    ["PUT", `/availabilities/${randomUUID()}`, {}, "Availability not found"],
    ["PUT", `/claims/${randomUUID()}`, {}, "Claim not found"],
  ])("at %s: times that passed, or are the wrong way round", async (method, path, body, error) => {
    const { token } = stranger;

    for (const times of [past, backwards]) {
      expect(answerOf(await send(method, path, { token, body: { ...body, ...times } }))).toEqual(
        refusal(404, error),
      );
    }
  });
});

describe("a row that is not the caller's comes before a rule", () => {
  const claimsOfOwn = refusal(403, "You cannot claim your own parking spot");
  const windowsOfOthers = refusal(403, "You can only create availabilities for your own spots");

  it.each([
    ["the wrong way round", { from: 15, to: 12 }],
    ["passed", { from: -5, to: -3 }],
    ["outside the window", { from: 25, to: 26 }],
  ])("one's own spot, and times that are %s", async (_case, times) => {
    const answer = await owner.post("/claims", { availability_id: free.id, ...bodyOf(times) });

    expect(answerOf(answer)).toEqual(claimsOfOwn);
  });

  it("one's own spot, and a window already claimed", async () => {
    const { start_time, end_time } = claimed;
    const answer = await owner.post("/claims", {
      availability_id: claimed.id,
      start_time,
      end_time,
    });

    expect(answerOf(answer)).toEqual(claimsOfOwn);
  });

  it.each([
    ["the wrong way round", { from: 15, to: 12 }],
    ["passed", { from: -5, to: -3 }],
    ["taken by another window", { from: 12, to: 15 }],
  ])("another's spot, and times that are %s", async (_case, times) => {
    const answer = await stranger.post("/availabilities", { spot_id: spot.id, ...bodyOf(times) });

    expect(answerOf(answer)).toEqual(windowsOfOthers);
  });

  it.each([
    ["a stranger", () => stranger],
    ["an administrator", () => administrator],
  ])("another's row, and a change that no one may make: %s", (_case, someone) =>
    holdsForAll(
      [
        [
          "PUT",
          "/parking-spots",
          spot,
          { spot_number: taken.spot_number },
          "spots_updated_by_owner",
        ],
        ["DELETE", "/parking-spots", spot, undefined, "spots_deleted_by_owner"],
        ["PUT", "/availabilities", claimed, backwards, "availabilities_updated_by_spot_owner"],
        ["DELETE", "/availabilities", claimed, undefined, "availabilities_deleted_by_spot_owner"],
        ["PUT", "/claims", completed, { status: "active" }, "claims_updated_by_claimer"],
        ["DELETE", "/claims", completed, undefined, "claims_deleted_by_claimer"],
      ] as const,
      async ([method, path, { id }, body, rule]) => {
        const { token } = someone();
        const answer = await send(method, `${path}/${id}`, { token, body });

        expect([answer.status, answer.headers.get("X-Error-Code")]).toEqual([403, rule]);
      },
    ),
  );
});
