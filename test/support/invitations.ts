import { randomUUID } from "node:crypto";
import type { Building } from "./building.ts";
import { type Person, requestJson } from "./person.ts";

export interface InvitedSpot {
  readonly spot_number: string;
  readonly building_section: string;
  readonly spot_id?: string;
  readonly refused_by?: string;
}
export interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly status: string;
  readonly spots: readonly InvitedSpot[];
  readonly inviter_id: string;
  readonly profile_id: string | null;
  readonly accepted_at: string | null;
}

export interface Account {
  readonly profile: { readonly id: string; readonly is_approved: boolean };
}

/** An address, and a number, that no other test has. */
export const newAddress = (): string => `${randomUUID()}@invited.example`;
export const newNumber = (): string => `I-${randomUUID().slice(0, 8)}`;
export const spotNumbered = (spot_number: string): InvitedSpot => ({
  spot_number,
  building_section: "North",
});

export const invited = (email: string, ...numbers: readonly string[]) => ({
  email,
  apartment_number: "2B",
  ...(numbers.length > 0 && { spots: numbers.map(spotNumbered) }),
});

export const invite = (administrator: Person, ...invitations: readonly object[]) =>
  administrator.post("/admin/invitations", { invitations });

export async function invitationTo(administrator: Person, email: string): Promise<Invitation> {
  const path = `/admin/invitations?email=${encodeURIComponent(email)}`;
  const { body } = await administrator.get<{ invitations: Invitation[] }>(path, 200);
  const [found] = body.invitations;
  if (!found) throw new Error(`nobody invited ${email}`);
  return found;
}

/** A request about the own profile with these claims in the token. */
export async function askWith<Body = Account>(
  { service }: Building,
  claims: { readonly sub: string; readonly [claim: string]: unknown },
  method: string,
  body?: unknown,
  path = "/api/profile",
) {
  const token = await service.issuer.token(claims);
  return requestJson<Body>(service.origin, method, path, { token, body });
}

/** Registers somebody whose token has this address, confirmed unless it says otherwise. */
export async function registers(
  building: Building,
  email: string,
  claims: Readonly<Record<string, unknown>> = { email_verified: true },
) {
  const sub = randomUUID();
  const { status, body } = await askWith(building, { sub, email, ...claims }, "POST", {
    apartment_number: "2B",
  });
  return { sub, status, isApproved: status === 201 && body.profile.is_approved };
}
