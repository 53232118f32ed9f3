import { type Language, type MailKind, mailKinds } from "../../../texts/kinds.ts";
import { get } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import { type Source, useReading } from "../../api/reading.ts";
import { plain, t } from "../../messages/translate.ts";
import { useChange } from "../../parts/change.ts";
import { Field, FormButtons, formValues, Refusal, useAction } from "../../parts/form.tsx";
import { kindsTyped, LanguageField, MailKinds, RemindField } from "../../parts/mail-fields.tsx";
import { NumberField } from "../../parts/number-field.tsx";
import { whenRead } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { touchedOf } from "../../parts/unsaved.ts";
import { DaysFields, type daysKept, daysTyped } from "./days.tsx";
import { LimitFields, limits, limitsTyped } from "./limits.tsx";
import { LookFields, lookTyped } from "./look.tsx";
import { SectionLimits } from "./section-limits.tsx";

type Limits = Readonly<Record<(typeof limits)[number]["name"], number | null>>;
type DaysKept = Readonly<Record<(typeof daysKept)[number]["name"], number>>;

/** The settings that administrators change. Null means no limit. */
interface Settings extends Limits, DaysKept {
  readonly name: string;
  readonly mark: string | null;
  readonly colour: string | null;
  readonly time_zone: string;
  readonly pattern_days: number;
  readonly rest_stays_on_offer: boolean;
  readonly mail: readonly MailKind[];
  readonly language: Language;
  readonly remind_minutes: number;
}

interface Answer {
  readonly building: Settings;
}

const settings: Source<Answer> = {
  key: "building",
  topics: ["building"],
  read: () => get<Answer>("/building"),
};

/** The name of the building, its time zone and its limits. */
export function Building() {
  return whenRead(useReading(settings), (answer) => (
    <div class="stack">
      <Form answer={answer} />
      <SectionLimits ofBuilding={answer.building} />
    </div>
  ));
}

function Form({ answer }: { readonly answer: Answer }) {
  const { building: settings } = answer;
  const action = useAction();
  const change = useChange("/admin/building", { shownAt: "/building", known: answer });
  const save = async (body: object) => {
    await change(body);
    changed("building", "reports");
    toast(t("building.saved"));
  };
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        const body = bodyOf(event.currentTarget);
        action.run(() => save(body));
      }}
    >
      <div class="groups">
        <div class="stack">
          <section class="card form">
            <h2>{t("building.look")}</h2>
            <LookFields look={settings} action={action} />
            <Field
              name="time_zone"
              label={t("building.zone")}
              hint={t("building.zoneHint")}
              invalid={action.invalid.includes("time_zone")}
              control={(it) => (
                <select {...it} defaultValue={settings.time_zone}>
                  {zonesWith(settings.time_zone).map((zone) => (
                    <option key={zone} value={zone} selected={zone === settings.time_zone}>
                      {plain(zone)}
                    </option>
                  ))}
                </select>
              )}
            />
          </section>
          <section class="card form">
            <h2>{t("building.limits")}</h2>
            <p class="quiet">{t("building.limitsHint")}</p>
            <LimitFields limits={limits} values={settings} action={action} />
          </section>
        </div>
        <div class="stack">
          <section class="card form">
            <h2>{t("building.mail")}</h2>
            <p class="quiet">{t("building.mailHint")}</p>
            <MailKinds legend={t("mail.kinds")} kinds={mailKinds} chosen={settings.mail} />
            <LanguageField label={t("mail.language")} value={settings.language} action={action} />
            <RemindField
              label={t("building.remind")}
              value={settings.remind_minutes}
              required
              action={action}
            />
          </section>
          <section class="card form">
            <h2>{t("building.sharing")}</h2>
            <NumberField
              name="pattern_days"
              label={t("building.patternDays")}
              action={action}
              min={1}
              max={366}
              required
              value={settings.pattern_days}
            />
            <label class="check">
              <input
                type="checkbox"
                name="rest_stays_on_offer"
                defaultChecked={settings.rest_stays_on_offer}
              />
              {t("building.restStays")}
            </label>
          </section>
          <section class="card form">
            <h2>{t("building.kept")}</h2>
            <p class="quiet">{t("building.keptHint")}</p>
            <DaysFields values={settings} action={action} />
          </section>
        </div>
      </div>
      <div class="card form save-bar">
        <Refusal action={action} />
        <FormButtons action={action} submit={t("app.save")} />
      </div>
    </form>
  );
}

/** Browsers leave UTC out of their list, and a database may know other zones. */
const zonesWith = (current: string): readonly string[] => [
  ...new Set([current, "UTC", ...Intl.supportedValuesOf("timeZone")]),
];

/** The touched fields. An empty field means no limit. */
function bodyOf(form: HTMLFormElement): object {
  const typed = formValues(form);
  return touchedOf(form, {
    ...lookTyped(typed),
    time_zone: typed.time_zone,
    pattern_days: Number(typed.pattern_days),
    rest_stays_on_offer: typed.rest_stays_on_offer !== undefined,
    mail: kindsTyped(form, mailKinds),
    language: typed.language,
    remind_minutes: Number(typed.remind_minutes),
    ...limitsTyped(limits, typed),
    ...daysTyped(typed),
  });
}
