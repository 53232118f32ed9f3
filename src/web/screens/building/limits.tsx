import { put } from "../../api/client.ts";
import { allSections } from "../../api/lists.ts";
import { useReading } from "../../api/reading.ts";
import type { Section } from "../../api/resources.ts";
import type { MessageKey } from "../../messages/en.ts";
import { plain, t } from "../../messages/translate.ts";
import { NumberField, Select } from "../../parts/fields.tsx";
import { ActionForm, formValues } from "../../parts/form.tsx";
import { LengthField, minutesTyped } from "../../parts/length-field.tsx";
import { whenRead } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { updateQuery, useRoute } from "../../routing.ts";
import { touchedOf } from "../../unsaved.ts";

interface Limit<Name extends string> {
  readonly name: Name;
  readonly label: MessageKey;
}

const sectionLimits = [
  { name: "longest_window_days", label: "building.longestWindow" },
  { name: "horizon_days", label: "building.horizon" },
  { name: "shortest_claim_minutes", label: "building.shortestClaim" },
  { name: "longest_claim_minutes", label: "building.longestClaim" },
  { name: "claim_notice_minutes", label: "building.notice" },
  { name: "most_active_claims", label: "building.mostClaims" },
  { name: "cancellation_cutoff_minutes", label: "building.cutoff" },
] as const satisfies readonly Limit<string>[];

export const limits = [
  ...sectionLimits,
  { name: "grace_minutes", label: "building.grace" },
  { name: "offer_minutes", label: "building.offer" },
] as const satisfies readonly Limit<string>[];

/** The numbers that a building always has. */
export const numbers = {
  mail: [{ name: "remind_minutes", label: "building.remind" }],
  sharing: [{ name: "pattern_days", label: "building.patternDays" }],
  gate: [
    { name: "gate_minutes", label: "building.gateMinutes" },
    { name: "passage_days", label: "building.passageDays" },
  ],
  signIn: [{ name: "session_days", label: "building.sessionDays" }],
  kept: [
    { name: "event_days", label: "building.eventDays" },
    { name: "notification_days", label: "building.notificationDays" },
    { name: "job_days", label: "building.jobDays" },
  ],
} as const satisfies Readonly<Record<string, readonly Limit<string>[]>>;

type Values<Name extends string> = Readonly<Record<Name, number | null>>;

interface LimitFieldsProperties<Name extends string> {
  readonly limits: readonly Limit<Name>[];
  readonly values: Values<Name>;
  readonly otherwise?: Values<Name>;
  readonly required?: boolean;
}

export const LimitFields = <Name extends string>(properties: LimitFieldsProperties<Name>) => {
  const { limits, values, otherwise, required = false } = properties;
  return (
    <>
      {limits.map(({ name, label }) => {
        const field = { name, label, value: values[name], required };
        if (isLength(name))
          return <LengthField key={name} {...field} otherwise={otherwise?.[name]} />;
        const placeholder = otherwise && plain(String(otherwise[name] ?? "–"));
        return <NumberField key={name} {...field} placeholder={placeholder} />;
      })}
    </>
  );
};

const isLength = (name: string): boolean => name.endsWith("_minutes");

/** The request body that sets these limits. An empty field clears a limit. */
export const limitsTyped = (limits: readonly Limit<string>[], form: HTMLFormElement): object => {
  const typed = formValues(form);
  const numberOf = (name: string) => (typed[name] ? Number(typed[name]) : null);
  return Object.fromEntries(
    limits.map(({ name }) => [name, isLength(name) ? minutesTyped(form, name) : numberOf(name)]),
  );
};

type SectionLimitsOfApi = Pick<Section, (typeof sectionLimits)[number]["name"]>;

interface OfBuilding {
  readonly ofBuilding: SectionLimitsOfApi;
}

export function SectionLimits({ ofBuilding }: OfBuilding) {
  const name = useRoute().query.section ?? "";
  return whenRead(useReading(allSections), (sections) => {
    if (sections.length === 0) return null;
    const section = sections.find((it) => it.building_section === name);
    return (
      <section class="card stack">
        <h2>{t("building.sections")}</h2>
        <p class="quiet">{t("building.sectionsHint")}</p>
        <Select
          aria-label={t("board.section")}
          value={section ? name : ""}
          change={(chosen) => updateQuery({ section: chosen })}
          options={[
            ["", t("building.chooseSection")],
            ...sections.map((it) => [it.building_section, nameOf(it)] as const),
          ]}
        />
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

function Form({ section, ofBuilding }: OfBuilding & { readonly section: Section }) {
  const name = section.building_section;
  const save = async (form: HTMLFormElement) => {
    const body = touchedOf(form, limitsTyped(sectionLimits, form));
    await put(`/admin/sections/${encodeURIComponent(name)}`, body);
    toast(t("building.sectionSaved", { name }));
  };
  return (
    <ActionForm aria-label={plain(name)} act={save} submit="app.save">
      <div class="pairs">
        <LimitFields limits={sectionLimits} values={section} otherwise={ofBuilding} />
      </div>
    </ActionForm>
  );
}
