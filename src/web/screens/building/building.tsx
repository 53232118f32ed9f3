import { useEffect, useState } from "preact/hooks";
import type * as contract from "../../../contract/building.ts";
import type { ValueOf } from "../../../contract/fields.ts";
import { mailKinds } from "../../../texts/kinds.ts";
import { building } from "../../api/building.ts";
import { answer } from "../../api/lists.ts";
import { useReading } from "../../api/reading.ts";
import type { Child } from "../../jsx.ts";
import type { MessageKey } from "../../messages/en.ts";
import { plain, t } from "../../messages/translate.ts";
import { useChange } from "../../parts/change.ts";
import { withNull } from "../../parts/empty.ts";
import { Check, SelectField, TextField } from "../../parts/fields.tsx";
import { ActionForm, formValues } from "../../parts/form.tsx";
import { kindsTyped, LanguageField, MailKinds } from "../../parts/mail-fields.tsx";
import { paint } from "../../parts/paint.ts";
import { whenRead } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { settings as ofService } from "../../settings.ts";
import { touchedOf } from "../../unsaved.ts";
import { LimitFields, limits, limitsTyped, numbers, SectionLimits } from "./limits.tsx";

const isSignedInByMail = ofService.signIn === "mail";

interface Answer {
  readonly building: ValueOf<typeof contract.Building>;
}

export function Building() {
  return whenRead(useReading(answer<Answer>("/building", ["building"])), (answer) => (
    <div class="stack">
      <Form answer={answer} />
      <SectionLimits ofBuilding={answer.building} />
    </div>
  ));
}

function Form({ answer }: { readonly answer: Answer }) {
  const { building: settings } = answer;
  const change = useChange("/admin/building", { shownAt: "/building", known: answer });
  const save = async (form: HTMLFormElement) => {
    await change(bodyOf(form));
    toast(t("building.saved"));
  };
  return (
    <ActionForm act={save} submit="app.save" bar="card stack save-bar">
      <div class="groups">
        <div class="stack">
          <Group title="building.look">
            <LookFields look={settings} />
            <SelectField
              name="time_zone"
              label="building.zone"
              hint="building.zoneHint"
              value={settings.time_zone}
              options={zonesWith(settings.time_zone).map((zone) => [zone, plain(zone)] as const)}
            />
          </Group>
          <Group title="building.limits" hint="building.limitsHint">
            <LimitFields limits={limits} values={settings} />
          </Group>
        </div>
        <div class="stack">
          <Group title="mail.title" hint="building.mailHint">
            <MailKinds kinds={mailKinds} chosen={settings.mail} />
            <LanguageField value={settings.language} />
            <LimitFields limits={numbers.mail} values={settings} required />
          </Group>
          <Group title="building.sharing">
            <LimitFields limits={numbers.sharing} values={settings} required />
            <Check name="rest_stays_on_offer" checked={settings.rest_stays_on_offer}>
              {t("building.restStays")}
            </Check>
          </Group>
          <Group title="building.gate">
            <LimitFields limits={numbers.gate} values={settings} required />
          </Group>
          {isSignedInByMail && (
            <Group title="building.signIn">
              <LimitFields limits={numbers.signIn} values={settings} required />
            </Group>
          )}
          <Group title="building.kept" hint="building.keptHint">
            <LimitFields limits={numbers.kept} values={settings} required />
          </Group>
        </div>
      </div>
    </ActionForm>
  );
}

interface GroupProperties {
  readonly title: MessageKey;
  readonly hint?: MessageKey;
  readonly children: Child;
}

const Group = ({ title, hint, children }: GroupProperties) => (
  <section class="card stack">
    <h2>{t(title)}</h2>
    {hint && <p class="quiet">{t(hint)}</p>}
    {children}
  </section>
);

/** Browsers leave UTC out of their list, and a database may know other zones. */
const zonesWith = (current: string): readonly string[] => [
  ...new Set([current, "UTC", ...Intl.supportedValuesOf("timeZone")]),
];

/** The touched fields. An empty limit means none. */
function bodyOf(form: HTMLFormElement): object {
  const typed = formValues(form);
  return touchedOf(form, {
    ...lookTyped(typed),
    time_zone: typed.time_zone,
    rest_stays_on_offer: typed.rest_stays_on_offer !== undefined,
    mail: kindsTyped(form, mailKinds),
    language: typed.language,
    ...limitsTyped([...limits, ...Object.values(numbers).flat()], form),
  });
}

/** The colour of a building without its own, as in styles/base.css. */
const USUAL = "#0b63b0";

interface Look {
  readonly name: string;
  readonly mark: string | null;
  readonly colour: string | null;
}

function LookFields({ look }: { readonly look: Look }) {
  const [typed, set] = useState(look);
  // The page itself shows what the colour looks like, until it is saved or left.
  useEffect(() => paint(typed.colour), [typed.colour]);
  useEffect(() => () => paint(building.get().colour), []);
  return (
    <>
      <TextField
        name="name"
        label="building.name"
        required
        value={typed.name}
        change={(name) => set({ ...typed, name })}
      />
      <div class="fields">
        <TextField
          name="mark"
          label="building.mark"
          hint="building.markHint"
          autocomplete="off"
          value={typed.mark}
          change={(mark) => set({ ...typed, mark: shortened(mark) })}
        />
        <div class="field">
          <Check
            name="colour"
            checked={typed.colour !== null}
            change={(own) => set({ ...typed, colour: own ? (look.colour ?? USUAL) : null })}
          >
            {t("building.ownColour")}
          </Check>
          {typed.colour !== null && (
            <input
              type="color"
              name="colour"
              aria-label={t("building.colour")}
              value={typed.colour}
              onInput={(event) => set({ ...typed, colour: event.currentTarget.value })}
            />
          )}
        </div>
      </div>
    </>
  );
}

/** The first two characters, or an emoji with the characters that belong to it. */
const shortened = (typed: string): string => {
  const [first = "", second = "", third = ""] = typed;
  return first + (second === "\uFE0F" || third !== "\uFE0F" ? second : "");
};

const lookTyped = ({ name, mark, colour }: Readonly<Record<string, string>>) => ({
  name,
  ...withNull({ mark, colour }),
});
