import type { Spot } from "../api/resources.ts";
import { plain, t } from "../messages/translate.ts";
import { updateQuery } from "../routing.ts";

export const sectionsOf = (spots: readonly Spot[]): readonly string[] =>
  [...new Set(spots.map((spot) => spot.building_section))].toSorted();

interface SectionsProperties {
  readonly spots: readonly Spot[];
  readonly section: string;
}

/** Chooses the spots of one section. */
export function Sections({ spots, section }: SectionsProperties) {
  const names = sectionsOf(spots);
  if (names.length < 2) return null;
  return (
    <select
      aria-label={t("board.section")}
      value={section}
      onChange={(event) => updateQuery({ section: event.currentTarget.value })}
    >
      <option value="">{t("board.allSections")}</option>
      {names.map((name) => (
        <option key={name} value={name}>
          {plain(name)}
        </option>
      ))}
    </select>
  );
}
