import { keep, keepNothing, keptValue } from "../sign-in/kept.ts";
import { createStore, useStore } from "../store.ts";
import { get } from "./client.ts";
import { rightsRefused } from "./connection.ts";
import { ApiProblem } from "./problem.ts";
import type { Profile } from "./resources.ts";

/** The person who uses the page. Without a profile, the person has not registered. */
interface Person {
  readonly profile?: Profile | undefined;
}

export const person = createStore<Person | undefined>(undefined);

export const usePersonId = (): string => useStore(person)?.profile?.id ?? "";

const KEY = "profile";

/** In milliseconds. GET /profile is allowed ten times a minute, so not every start requests it. */
const LIFETIME = 60_000;

/** Shows the stored profile at once, and keeps it if there is no answer. */
export async function loadPerson(): Promise<void> {
  const kept = keptValue<Profile>(KEY);
  if (kept) person.set({ profile: kept.value });
  if (!kept || Date.now() - kept.readAt > LIFETIME) await readPerson();
}

/**
 * The profile as another tab has saved it, or as the service returns it now. Without an answer, it
 * is the last known one.
 */
export async function newestProfile(): Promise<Profile | undefined> {
  await loadPerson().catch(() => {});
  return person.get()?.profile;
}

export interface ProfileAnswer {
  readonly profile: Profile;
}

let lastAnswer: ProfileAnswer | undefined;

/** The last answer of the service, if there is one since the page was loaded. */
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
  // Otherwise people who wait for approval would wait for ever, and people who lost it would see no
  // claims.
  if (profile.is_approved) keep(KEY, profile, Date.now());
  else keepNothing();
  person.set({ profile });
}

// People who have lost the approval learn it at once, not only when each screen is refused.
rightsRefused.subscribe(() => {
  readPerson().catch(() => {});
});
