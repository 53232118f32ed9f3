import { beforeAll, describe, expect, it } from "@jest/globals";
import { type Spot, spotOf, useBuilding, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { backdateCreation, longAgo } from "../support/rows.ts";

const building = useBuilding();
let owner: Person;
let administrator: Person;
let spot: Spot;
beforeAll(async () => {
  owner = await building.resident();
  administrator = await building.administrator();
  spot = await spotOf(owner);
});

interface Touched {
  readonly updated_at: string;
}

describe("a PUT that repeats what is stored", () => {
  it("leaves updated_at of a spot", async () => {
    await backdateCreation(building, "spots", spot);
    const { spot_number, building_section, is_verified } = spot;

    const own = await owner.put<{ spot: Touched }>(
      `/parking-spots/${spot.id}`,
      { spot_number, building_section },
      200,
    );
    const verified = await administrator.put<{ spot: Touched }>(
      `/admin/parking-spots/${spot.id}`,
      { is_verified },
      200,
    );

    expect(own.body.spot.updated_at).toBe(longAgo);
    expect(verified.body.spot.updated_at).toBe(longAgo);
  });

  it("leaves updated_at of a window", async () => {
    const window = await windowOf(owner, spot);
    await backdateCreation(building, "availabilities", window);

    const { body } = await owner.put<{ availability: Touched }>(
      `/availabilities/${window.id}`,
      { start_time: window.start_time, end_time: window.end_time },
      200,
    );

    expect(body.availability.updated_at).toBe(longAgo);
  });

  it("leaves updated_at of a profile", async () => {
    await owner.put("/profile", { full_name: "Ada" }, 200);
    await backdateCreation(building, "profiles", owner);

    const own = await owner.put<{ profile: Touched }>("/profile", { full_name: "Ada" }, 200);
    const flags = await administrator.put<{ profile: Touched }>(
      `/admin/profiles/${owner.id}`,
      { is_approved: true, is_admin: false },
      200,
    );

    expect(own.body.profile.updated_at).toBe(longAgo);
    expect(flags.body.profile.updated_at).toBe(longAgo);
  });

  it("leaves updated_at of a notification", async () => {
    const other = await building.resident();
    const { id } = await spotOf(other);
    await administrator.put(`/admin/parking-spots/${id}`, { is_verified: true }, 200);
    const { body } = await other.get<{ notifications: { id: string }[] }>("/notifications", 200);
    const [notification] = body.notifications;
    if (!notification) throw new Error("there is no notification");
    await backdateCreation(building, "notifications", notification);

    const answer = await other.put<{ notification: Touched }>(
      `/notifications/${notification.id}`,
      { is_read: false },
      200,
    );

    expect(answer.body.notification.updated_at).toBe(longAgo);
  });
});
