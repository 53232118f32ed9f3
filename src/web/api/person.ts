import { session } from "../sign-in/session.ts";
import { createStore } from "../store.ts";
import { get } from "./client.ts";
import { ApiProblem } from "./problem.ts";
import type { Profile } from "./resources.ts";

/** Who uses the page. Without a profile, the person has not registered. */
export interface Person {
  readonly profile?: Profile | undefined;
}

export const person = createStore<Person | undefined>(undefined);

/** GET /profile is allowed ten times a minute, so a tab keeps what it read. */
const KEPT_AS = "profile";

interface KeptProfile {
  readonly subject: string;
  readonly profile: Profile;
}

function subject(): string | undefined {
  const current = session.get();
  return current.state === "in" ? current.subject : undefined;
}

/** The kept profile is shown at once if it is that of the person who signed in. */
export async function loadPerson(): Promise<void> {
  const text = sessionStorage.getItem(KEPT_AS);
  const kept: KeptProfile | null = text === null ? null : JSON.parse(text);
  if (kept !== null && kept.subject === subject()) person.set({ profile: kept.profile });
  else await readPerson();
}

export async function readPerson(): Promise<void> {
  try {
    const { profile } = await get<{ readonly profile: Profile }>("/profile");
    keepProfile(profile);
  } catch (error) {
    if (!(error instanceof ApiProblem && error.status === 404)) throw error;
    person.set({});
  }
}

export function keepProfile(profile: Profile): void {
  const known = subject();
  // Who waits for approval would otherwise wait for ever.
  if (known !== undefined && profile.is_approved) {
    const kept: KeptProfile = { subject: known, profile };
    sessionStorage.setItem(KEPT_AS, JSON.stringify(kept));
  }
  person.set({ profile });
}
