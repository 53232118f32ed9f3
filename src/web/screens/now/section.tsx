import { useState } from "preact/hooks";
import { usePersonId } from "../../api/person.ts";
import type { Spot } from "../../api/resources.ts";
import { t } from "../../messages/translate.ts";
import { sectionsOf } from "../../parts/sections.tsx";
import { Select } from "../../parts/select.tsx";
import { keep, keptValue } from "../../sign-in/kept.ts";

const KEY = "first section";

/**
 * The section whose spots come first: the one that the person has chosen, or the one of their own
 * spots. Empty if none does.
 */
export function useFirstSection(
  spots: readonly Spot[],
): readonly [section: string, choose: (section: string) => void] {
  const personId = usePersonId();
  const [chosen, set] = useState(() => keptValue<string>(KEY)?.value);
  const own = spots.find(({ owner_id }) => owner_id === personId)?.building_section;
  const first = chosen ?? own ?? "";
  const choose = (section: string): void => {
    keep(KEY, section, Date.now());
    set(section);
  };
  // A section that is chosen may be renamed.
  return [spots.some((it) => it.building_section === first) ? first : "", choose];
}

interface FirstSectionProperties {
  readonly spots: readonly Spot[];
  readonly section: string;
  readonly choose: (section: string) => void;
}

export function FirstSection({ spots, section, choose }: FirstSectionProperties) {
  const names = sectionsOf(spots);
  if (names.length < 2) return null;
  return (
    <Select
      aria-label={t("now.section")}
      value={section}
      change={choose}
      options={[
        ["", t("now.anySection")],
        ...names.map((name) => [name, t("now.sectionFirst", { section: name })] as const),
      ]}
    />
  );
}
