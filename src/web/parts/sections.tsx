import type { Spot } from "../api/resources.ts";
import { plain, t } from "../messages/translate.ts";
import { updateQuery } from "../routing.ts";
import { Select } from "./fields.tsx";

export const sectionsOf = (spots: readonly Spot[]): readonly string[] =>
  [...new Set(spots.map((spot) => spot.building_section))].toSorted();

/** In the order of numbers: 2A comes before 10A. */
export const byNumber = new Intl.Collator(undefined, { numeric: true }).compare;

/** As people walk past the spots. */
export const bySection = (one: Spot, other: Spot): number =>
  byNumber(one.building_section, other.building_section) ||
  byNumber(one.spot_number, other.spot_number);

interface SectionsProperties {
  readonly spots: readonly Spot[];
  readonly section: string;
}

export function Sections({ spots, section }: SectionsProperties) {
  const names = sectionsOf(spots);
  if (names.length < 2) return null;
  return (
    <Select
      aria-label={t("board.section")}
      value={section}
      change={(name) => updateQuery({ section: name })}
      options={[["", t("board.allSections")], ...names.map((name) => [name, plain(name)] as const)]}
    />
  );
}
