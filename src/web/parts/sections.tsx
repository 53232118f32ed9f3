import type { Spot } from "../api/resources.ts";
import { plain, t } from "../messages/translate.ts";
import { look } from "../routing.ts";

interface SectionsProperties {
  readonly spots: readonly Spot[];
  readonly section: string;
}

/** Only the spots of one section. */
export function Sections({ spots, section }: SectionsProperties) {
  const names = [...new Set(spots.map((spot) => spot.building_section))].toSorted();
  if (names.length < 2) return null;
  return (
    <select
      aria-label={t("board.section")}
      value={section}
      onChange={(event) => look({ section: event.currentTarget.value })}
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
