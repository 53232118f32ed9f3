import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "@jest/globals";
import {
  type Claim,
  claimOf,
  type Spot,
  spotOf,
  useBuilding,
  type Window,
  windowOf,
} from "../support/building.ts";
import { type Failure, type Person, requestJson } from "../support/person.ts";
import { holdsForAll } from "../support/table.ts";
import { bodyOf } from "./times.ts";

const building = useBuilding();
const owner = building.shared("resident");
const claimer = building.shared("resident");
const stranger = building.shared("resident");
const administrator = building.shared("administrator");
const unapproved = building.shared("unapproved");
/** A claimer of a completed claim whose approval was taken back afterwards. */
const dismissed = building.shared("resident");
let spot: Spot;
let taken: Spot;
let free: Window;
let claimed: Window;
let active: Claim;
let completed: Claim;
beforeAll(async () => {
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
const absent = randomUUID();
const ofWindow = (availability_id: string) => ({ availability_id });
const send = (method: string, path: string, options: { token?: string; body?: unknown } = {}) =>
  requestJson<{ error: string }>(building.service.origin, method, `/api${path}`, options);

/** Each request has all that is wrong; the answer says what is looked at first. */
const requests = (): readonly (readonly [
  answer: string,
  who: Person | undefined,
  method: string,
  path: string,
  body?: unknown,
])[] => [
  ["401 Authentication required", undefined, "GET", "/nowhere"],
  ["401 Authentication required", undefined, "PATCH", "/claims"],
  ["401 Authentication required", undefined, "GET", "/claims?limit=0"],
  ["401 Authentication required", undefined, "GET", "/claims/1"],
  ["401 Authentication required", undefined, "POST", "/claims", "{"],
  ["401 Authentication required", undefined, "GET", `/claims/${absent}`],
  [
    "401 Authentication required",
    undefined,
    "POST",
    "/claims",
    { ...ofWindow(absent), ...backwards },
  ],
  ["404 Not found", stranger, "GET", "/nowhere?limit=0"],
  ["404 Not found", stranger, "POST", "/nowhere", "{"],
  ["404 Not found", unapproved, "GET", "/nowhere"],
  ["404 Not found", stranger, "GET", "/passkeys"], // only where people sign in by mail
  ["405 Method not allowed", stranger, "PATCH", "/claims?limit=0"],
  ["405 Method not allowed", stranger, "PATCH", "/claims/1"],
  ["405 Method not allowed", unapproved, "PATCH", "/claims"],
  ["405 Method not allowed", stranger, "PATCH", `/claims/${absent}`],
  ["400 limit", unapproved, "GET", "/claims?limit=0"],
  ["400 id", unapproved, "GET", "/claims/1"],
  ["400 status", unapproved, "PUT", `/claims/${active.id}`, { status: "lost" }],
  ["400 limit", stranger, "GET", "/admin/profiles?limit=0"],
  ["400 status", stranger, "PUT", `/claims/${absent}`, { status: "lost" }],
  ["400 spot_number", stranger, "PUT", `/parking-spots/${spot.id}`, { spot_number: "" }],
  [
    "400 status",
    claimer,
    "POST",
    "/claims",
    { ...ofWindow(claimed.id), ...backwards, status: "active" },
  ],
  ["403 Account not approved", unapproved, "GET", `/claims/${absent}`],
  ["403 Account not approved", unapproved, "DELETE", `/parking-spots/${spot.id}`],
  ["403 Account not approved", dismissed, "DELETE", `/claims/${completed.id}`],
  ["403 Account not approved", unapproved, "POST", "/claims", { ...ofWindow(free.id), ...past }],
  ["403 Account not approved", unapproved, "GET", "/admin/profiles"],
  ...(
    [
      ["profiles", { is_approved: true }],
      ["parking-spots", { is_verified: true }],
    ] as const
  ).map(
    ([path, body]) =>
      [
        "403 Administrator privileges required",
        stranger,
        "PUT",
        `/admin/${path}/${absent}`,
        body,
      ] as const,
  ),
  ...[past, backwards].flatMap(
    (times) =>
      [
        [
          "404 Parking spot not found",
          stranger,
          "POST",
          "/availabilities",
          { spot_id: absent, ...times },
        ],
        [
          "404 Availability not found",
          stranger,
          "POST",
          "/claims",
          { ...ofWindow(absent), ...times },
        ],
        ["404 Availability not found", stranger, "PUT", `/availabilities/${absent}`, times],
        ["404 Claim not found", stranger, "PUT", `/claims/${absent}`, times],
      ] as const,
  ),
  ...[past, backwards, bodyOf({ from: 25, to: 26 })].map(
    (times) =>
      [
        "403 You cannot claim your own parking spot",
        owner,
        "POST",
        "/claims",
        { ...ofWindow(free.id), ...times },
      ] as const,
  ),
  [
    "403 You cannot claim your own parking spot",
    owner,
    "POST",
    "/claims",
    { ...ofWindow(claimed.id), ...bodyOf({ from: 30, to: 40 }) },
  ],
  ...[past, backwards, bodyOf({ from: 12, to: 15 })].map(
    (times) =>
      [
        "403 You can only create availabilities for your own spots",
        stranger,
        "POST",
        "/availabilities",
        { spot_id: spot.id, ...times },
      ] as const,
  ),
];

it("what is looked at first is answered, whatever else is wrong", () =>
  holdsForAll(requests(), async ([expected, who, method, path, body]) => {
    const answer = await requestJson<Failure>(building.service.origin, method, `/api${path}`, {
      ...(who && { token: who.token }),
      body,
    });
    const [field] = Object.keys(answer.body.details ?? {});
    expect(`${answer.status} ${field ?? answer.body.error}`).toBe(expected);
  }));

it.each([
  ["a stranger", () => stranger],
  ["an administrator", () => administrator],
])(
  "a row that is not the caller's comes before a change that no one may make: %s",
  (_case, someone) =>
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
