import { useState } from "preact/hooks";
import { usePersonId } from "../../api/person.ts";
import type { Spot } from "../../api/resources.ts";
import { keep, keptValue } from "../../sign-in/kept.ts";
import { createStore, useStore } from "../../store.ts";

const KEY = "first section";

const chosen = createStore<string | undefined>(undefined);

/**
 * The section whose spots come first: the one that the person has chosen, or the one of their own
 * spots. Empty if none does.
 */
export function useFirstSection(spots: readonly Spot[]): string {
  const personId = usePersonId();
  const [kept] = useState(() => keptValue<string>(KEY)?.value);
  const own = spots.find(({ owner_id }) => owner_id === personId)?.building_section;
  const first = useStore(chosen) ?? kept ?? own;
  // A section that was chosen may have another name now.
  return spots.find((it) => it.building_section === first)?.building_section ?? "";
}

export function chooseFirstSection(section: string): void {
  keep(KEY, section, Date.now());
  chosen.set(section);
}
