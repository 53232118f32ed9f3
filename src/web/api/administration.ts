import { getAll } from "./client.ts";
import type { Source } from "./reading.ts";
import type { Invitation, Profile, Spot } from "./resources.ts";

/** Data that only administrators read, or that they read again more often than others. */

export const allProfiles: Source<readonly Profile[]> = {
  key: "profiles",
  topics: ["profiles"],
  read: () => getAll<Profile>("/admin/profiles", "profiles"),
};

export const spotsToCheck: Source<readonly Spot[]> = {
  key: "spots to check",
  topics: ["spots"],
  read: () => getAll<Spot>("/parking-spots", "spots"),
};

export const allInvitations: Source<readonly Invitation[]> = {
  key: "invitations",
  topics: ["invitations", "profiles"],
  read: () => getAll<Invitation>("/admin/invitations", "invitations"),
};
