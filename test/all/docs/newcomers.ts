/**
 * People who come to a small house for the first time: the first administrator invites the others
 * from a list, and each of them signs in with a code from a mail, registers, and offers or claims a
 * spot. A program for the machine of a page: newcomers.ts <how many> <file of mails>
 */
import { readFileSync } from "node:fs";
import type { Received } from "../../mail/smtp-server.ts";
import { visitorOf } from "../../support/mail-sign-in.ts";
import { until } from "../../support/waiting.ts";

const [count = "", file = ""] = process.argv.slice(2);
const HOUSE = "https://parking.example.org";
/** Behind Caddy, which says from where somebody comes. */
const SERVICE = "http://127.0.0.1:3001";

const mails = {
  get received(): Received[] {
    const lines = readFileSync(file, "utf8").split("\n");
    return lines.filter((line) => line !== "").map((line): Received => JSON.parse(line));
  },
};
const hasMail = (email: string): boolean => mails.received.some(({ to }) => to.includes(email));

let address = "203.0.113.1";
const { fetch } = globalThis;
globalThis.fetch = (url, init) =>
  fetch(url, { ...init, headers: { ...init?.headers, "X-Forwarded-For": address } });

/** Signs in as somebody who reads their mails, and resolves to a caller of the API. */
async function signIn(email: string) {
  const tokens = await visitorOf(HOUSE, SERVICE).signIn(email, mails);
  return async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${SERVICE}/api${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${tokens.access_token}`,
        ...(body !== undefined && { "Content-Type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
}

const began = performance.now();
const ada = await signIn("ada@example.org");
await ada("POST", "/profile", { apartment_number: "1" });
const { profile } = await ada("GET", "/profile");
if (!profile.is_admin) throw new Error("Ada is no administrator");
const people = Array.from({ length: Number(count) }, (_, index) => ({
  email: `resident${index}@example.org`,
  apartment_number: String(index + 2),
}));
await ada("POST", "/admin/invitations", { invitations: people });

const hour = (later: number) => new Date(Date.now() + later * 3_600_000).toISOString();
let claims = 0;
for (const [index, { email }] of people.entries()) {
  address = `203.0.113.${index + 2}`;
  await until("the invitation", () => hasMail(email));
  const resident = await signIn(email);
  const { invitation } = await resident("GET", "/profile/invitation");
  const { profile } = await resident("POST", "/profile", {
    apartment_number: invitation.apartment_number,
  });
  if (!profile.is_approved) throw new Error(`${email} is not approved`);
  if (index % 2 === 0) {
    const { spot } = await resident("POST", "/parking-spots", {
      spot_number: String(index + 1),
      building_section: "North",
    });
    await resident("POST", "/availabilities", {
      spot_id: spot.id,
      start_time: hour(1),
      end_time: hour(9),
    });
  } else {
    const { availabilities } = await resident("GET", "/availabilities?is_claimed=false");
    await resident("POST", "/claims", {
      availability_id: availabilities[0].id,
      start_time: availabilities[0].start_time,
      end_time: availabilities[0].end_time,
    });
    claims += 1;
  }
}
const seconds = Math.round((performance.now() - began) / 1_000);
console.log(`${people.length} people came in ${seconds} s, and made ${claims} claims`);
