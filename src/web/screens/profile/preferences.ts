import type { ValueOf } from "../../../contract/fields.ts";
import type * as preferences from "../../../contract/preferences.ts";
import { put } from "../../api/client.ts";
import { answer } from "../../api/lists.ts";

/** The person's choices. Null means the building's default. */
export type Preferences = ValueOf<typeof preferences.Preference>;

interface Answer {
  readonly preferences: Preferences;
}

const PATH = "/profile/preferences";

export const preferencesOfApi = answer<Answer>(PATH, ["profile"]);

export async function savePreferences(choice: object): Promise<Preferences> {
  return (await put<Answer>(PATH, choice)).preferences;
}
