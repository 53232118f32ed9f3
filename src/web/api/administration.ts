import { getAll } from "./client.ts";
import type { Source } from "./reading.ts";
import type { Profile, Spot } from "./resources.ts";

/** What only administrators read, or read anew more often than others. */

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

export interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly full_name: string | null;
  readonly apartment_number: string;
  readonly spots: readonly InvitedSpot[];
  readonly status: "open" | "accepted" | "lapsed";
  readonly inviter_id: string;
  readonly profile_id: string | null;
  readonly created_at: string;
}

export interface InvitedSpot {
  readonly spot_number: string;
  readonly building_section: string;
  /** Of an accepted invitation: the spot that was registered, or the rule that refused it. */
  readonly spot_id?: string;
  readonly refused_by?: string;
}

export const allInvitations: Source<readonly Invitation[]> = {
  key: "invitations",
  topics: ["invitations", "profiles"],
  read: () => getAll<Invitation>("/admin/invitations", "invitations"),
};

/** An account stays when its personal data goes. No mail has such an address. */
export const isErased = ({ email }: Profile): boolean => email.endsWith("@erased.invalid");
