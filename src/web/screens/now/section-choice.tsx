import type { Spot } from "../../api/resources.ts";
import { t } from "../../messages/translate.ts";
import { Select } from "../../parts/fields.tsx";
import { sectionsOf } from "../../parts/sections.tsx";
import { chooseFirstSection, useFirstSection } from "./section.ts";

export function SectionChoice({ spots }: { readonly spots: readonly Spot[] }) {
  const section = useFirstSection(spots);
  const names = sectionsOf(spots);
  if (names.length < 2) return null;
  return (
    <Select
      aria-label={t("now.section")}
      value={section}
      change={chooseFirstSection}
      options={[
        ["", t("board.allSections")],
        ...names.map((name) => [name, t("now.sectionFirst", { section: name })] as const),
      ]}
    />
  );
}
