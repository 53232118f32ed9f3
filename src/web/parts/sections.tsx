import type { Spot } from "../api/resources.ts";
import { plain, t } from "../messages/translate.ts";
import { updateQuery } from "../routing.ts";
import { Select } from "./fields.tsx";

export const sectionsOf = (spots: readonly Spot[]): readonly string[] =>
  [...new Set(spots.map((spot) => spot.building_section))].toSorted();

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
