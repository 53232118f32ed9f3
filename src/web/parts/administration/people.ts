import { useMemo } from "preact/hooks";
import { allProfiles } from "../../api/lists.ts";
import { useReading } from "../../api/reading.ts";
import { isErased, type Profile } from "../../api/resources.ts";
import { plain, type Text, t } from "../../messages/translate.ts";

/** The people of the building by their ids, as far as they have been read. */
export type People = ReadonlyMap<string, Profile>;

export const peopleOf = (profiles: readonly Profile[] = []): People =>
  new Map(profiles.map((profile) => [profile.id, profile]));

export function usePeople(): People {
  const { value } = useReading(allProfiles);
  return useMemo(() => peopleOf(value), [value]);
}

/** The name of a person, or else the name with which they signed in. */
export function nameOf(profile: Profile): string {
  if (isErased(profile)) return t("accounts.erased");
  return profile.full_name ?? profile.email;
}

export function describePerson(people: People, id: string): string {
  const profile = people.get(id);
  if (profile === undefined) return t("garage.someone", { id: id.slice(-6) });
  return isErased(profile) ? nameOf(profile) : `${nameOf(profile)} (${profile.apartment_number})`;
}

/** False for an account whose personal data was erased. */
export const emailOf = (profile: Profile): Text | false =>
  !isErased(profile) && plain(profile.email);
