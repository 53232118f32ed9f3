import { beforeAll, describe, expect, it } from "@jest/globals";
import {
  type Claim,
  claimOf,
  type Spot,
  spotOf,
  useBuilding,
  type Window,
  windowOf,
} from "../support/building.ts";
import type { Answer, Failure } from "../support/person.ts";

const building = useBuilding({ connections: 2 });
const ann = building.shared("resident");
const bob = building.shared("resident");
let spot: Spot;
let window: Window;
let claim: Claim;
beforeAll(async () => {
  const owner = await building.resident();
  spot = await spotOf(owner);
  window = await windowOf(owner, spot);
  claim = await claimOf(ann, window);
});

/** PostgreSQL checks against all rows, and its DETAIL has values of the conflicting row. */
const expectNothingRevealed = (
  { headers, body }: Answer<Failure>,
  about: readonly string[],
): void => {
  const whole = JSON.stringify([[...headers], body]);
  const revealed = [ann.id, ann.email, spot.owner_id, claim.id, ...about].filter((text) =>
    whole.includes(text),
  );
  expect(revealed).toEqual([]);
};

describe("a refusal because of another person's row reveals nothing of it", () => {
  it("a spot number that is taken", async () => {
    const { spot_number } = spot;
    const answer = await bob.post("/parking-spots", { spot_number, building_section: "X" }, 409);
    expectNothingRevealed(answer, [spot.id, spot_number, spot_number.toLowerCase()]);
  });

  it("a window that is claimed", async () => {
    const { id, start_time, end_time } = window;
    const answer = await bob.post("/claims", { availability_id: id, start_time, end_time }, 400);
    expectNothingRevealed(answer, [id, start_time]);
  });

  it("a window of another's spot", async () => {
    const { start_time, end_time } = window;
    const body = { spot_id: spot.id, start_time, end_time };
    expectNothingRevealed(await bob.post("/availabilities", body, 403), [window.id, start_time]);
  });

  it("a claim that is another's", async () => {
    expectNothingRevealed(await bob.get(`/claims/${claim.id}`, 404), []);
    expectNothingRevealed(await bob.put(`/claims/${claim.id}`, { status: "cancelled" }, 403), []);
    expectNothingRevealed(await bob.delete(`/claims/${claim.id}`, 403), []);
  });

  it("a profile that is another's", async () => {
    expectNothingRevealed(await bob.get(`/admin/profiles/${ann.id}`, 403), []);
    expectNothingRevealed(await bob.put(`/admin/profiles/${ann.id}`, { is_admin: true }, 403), []);
  });
});
