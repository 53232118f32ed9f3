import { put } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import { useReading } from "../../api/reading.ts";
import type { Section } from "../../api/resources.ts";
import { allSections } from "../../api/sections.ts";
import { plain, t } from "../../messages/translate.ts";
import { FormButtons, formValues, Refusal, useAction } from "../../parts/form.tsx";
import { whenRead } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { touchedOf } from "../../parts/unsaved.ts";
import { updateQuery, useRoute } from "../../routing.ts";
import { LimitFields, limitsTyped, sectionLimits } from "./limits.tsx";

type Limits = Pick<Section, (typeof sectionLimits)[number]["name"]>;

/** The limits of one section, which take precedence over the building's. */
export function SectionLimits({ ofBuilding }: { readonly ofBuilding: Limits }) {
  const name = useRoute().query.section ?? "";
  return whenRead(useReading(allSections), (sections) => {
    if (sections.length === 0) return null;
    const section = sections.find((it) => it.building_section === name);
    return (
      <section class="card form">
        <h2>{t("building.sections")}</h2>
        <p class="quiet">{t("building.sectionsHint")}</p>
        <select
          aria-label={t("board.section")}
          value={section ? name : ""}
          onChange={(event) => updateQuery({ section: event.currentTarget.value })}
        >
          <option value="">{t("building.chooseSection")}</option>
          {sections.map((it) => (
            <option key={it.building_section} value={it.building_section}>
              {nameOf(it)}
            </option>
          ))}
        </select>
        {section && <Form key={name} section={section} ofBuilding={ofBuilding} />}
      </section>
    );
  });
}

function nameOf(section: Section) {
  const key = sectionLimits.some(({ name }) => section[name] !== null)
    ? "building.limitedSection"
    : "building.section";
  return t(key, { name: section.building_section, count: section.total_spots });
}

interface FormProperties {
  readonly section: Section;
  readonly ofBuilding: Limits;
}

function Form({ section, ofBuilding }: FormProperties) {
  const action = useAction();
  const name = section.building_section;
  const save = async (limits: object) => {
    await put(`/admin/sections/${encodeURIComponent(name)}`, limits);
    changed("building");
    toast(t("building.sectionSaved", { name }));
  };
  return (
    <form
      class="form"
      aria-label={plain(name)}
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const limits = touchedOf(form, limitsTyped(sectionLimits, formValues(form)));
        action.run(() => save(limits));
      }}
    >
      <div class="pairs">
        <LimitFields
          limits={sectionLimits}
          values={section}
          otherwise={ofBuilding}
          action={action}
        />
      </div>
      <Refusal action={action} />
      <FormButtons action={action} submit={t("app.save")} />
    </form>
  );
}
