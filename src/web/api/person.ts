import { keep, keepNothing, keptValue } from "../sign-in/kept.ts";
import { createStore } from "../store.ts";
import { get } from "./client.ts";
import { rightsRefused } from "./connection.ts";
import { ApiProblem } from "./problem.ts";
import type { Profile } from "./resources.ts";

/** Who uses the page. Without a profile, the person has not registered. */
export interface Person {
  readonly profile?: Profile | undefined;
}

export const person = createStore<Person | undefined>(undefined);

const KEPT_AS = "profile";

/** GET /profile is allowed ten times a minute, so not each start asks for it. In milliseconds. */
const LIFETIME = 60_000;

/** What is kept is shown at once, and stays where nothing answers. */
export async function loadPerson(): Promise<void> {
  const kept = keptValue<Profile>(KEPT_AS);
  if (kept) person.set({ profile: kept.value });
  if (!kept || Date.now() - kept.readAt > LIFETIME) await readPerson();
}

/** As another tab has saved it, or what the service says now. Where it does not answer, as it was. */
export async function newestProfile(): Promise<Profile | undefined> {
  await loadPerson().catch(() => {});
  return person.get()?.profile;
}

export interface ProfileAnswer {
  readonly profile: Profile;
}

let lastAnswer: ProfileAnswer | undefined;

/** As the service gave it last, if it has since the page began. */
export const profileAnswer = (): ProfileAnswer | undefined => lastAnswer;

export async function readPerson(): Promise<void> {
  try {
    lastAnswer = await get<ProfileAnswer>("/profile");
    keepProfile(lastAnswer.profile);
  } catch (error) {
    if (!(error instanceof ApiProblem && error.status === 404)) throw error;
    keepNothing();
    person.set({});
  }
}

export function keepProfile(profile: Profile): void {
  // Who waits for approval would otherwise wait for ever, and who lost it sees nobody's claims.
  if (profile.is_approved) keep(KEPT_AS, profile, Date.now());
  else keepNothing();
  person.set({ profile });
}

// Who has lost the approval reads so at once, and not on each screen that it is refused.
rightsRefused.subscribe(() => {
  readPerson().catch(() => {});
});
