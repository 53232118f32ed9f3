import { useState } from "preact/hooks";
import type { ValueOf } from "../../../contract/fields.ts";
import type * as preferences from "../../../contract/preferences.ts";
import { type MailKind, mailKinds } from "../../../texts/kinds.ts";
import { useBuilding } from "../../api/building.ts";
import { get, put } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import { person } from "../../api/person.ts";
import { type Source, useReading } from "../../api/reading.ts";
import { t } from "../../messages/translate.ts";
import { ActionForm, formValues } from "../../parts/form.tsx";
import { LengthField, minutesTyped } from "../../parts/length-field.tsx";
import {
  kindsTyped,
  LanguageField,
  MailKinds,
  nameOfLanguage,
  TitlesOfMail,
} from "../../parts/mail-fields.tsx";
import { whenRead } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { touchedOf } from "../../parts/unsaved.ts";
import { useStore } from "../../store.ts";
import { formatExactLength } from "../../time/format.ts";
import { MINUTE } from "../../time/zone.ts";

/** The person's choices. Null means the building's default. */
type Preferences = ValueOf<typeof preferences.Preference>;

interface Answer {
  readonly preferences: Preferences;
}

const preferencesOfApi: Source<Answer> = {
  key: "preferences",
  topics: ["preferences"],
  read: () => get<Answer>("/profile/preferences"),
};

/** Which mails the person gets, their language, and how early the person is reminded of a claim. */
export const Mail = () =>
  whenRead(useReading(preferencesOfApi), ({ preferences }) => <Form preferences={preferences} />);

const choices = ["mail.asBuilding", "mail.own", "mail.nothing"] as const;
type Choice = (typeof choices)[number];

const forAdministrators: readonly MailKind[] = ["profiles.waiting", "webhook.disabled"];

function choiceOf({ mail }: Preferences): Choice {
  if (mail === null) return "mail.asBuilding";
  return mail.length === 0 ? "mail.nothing" : "mail.own";
}

function Form({ preferences }: { readonly preferences: Preferences }) {
  const building = useBuilding();
  const isAdmin = useStore(person)?.profile?.is_admin === true;
  const [choice, setChoice] = useState(choiceOf(preferences));
  const proposed = building.mail ?? mailKinds;
  const kept = preferences.mail?.length ? preferences.mail : proposed;
  const isOffered = (kind: MailKind) => isAdmin || !forAdministrators.includes(kind);
  const offered = mailKinds.filter(isOffered);
  const mailTyped = (form: HTMLFormElement) => {
    if (choice !== "mail.own") return choice === "mail.nothing" ? [] : null;
    const chosen = kindsTyped(form, offered);
    // A person who becomes an administrator later also gets the administrators' mails, unless they
    // want none.
    return chosen.length === 0 ? [] : [...chosen, ...kept.filter((kind) => !isOffered(kind))];
  };
  const save = async (form: HTMLFormElement) => {
    const typed = formValues(form);
    const body = touchedOf(form, {
      mail: mailTyped(form),
      language: typed.language || null,
      remind_minutes: minutesTyped(form, "remind_minutes"),
    });
    const saved = await put<Answer>("/profile/preferences", body);
    setChoice(choiceOf(saved.preferences));
    changed("preferences");
    toast(t("mail.saved"));
  };
  const { language, remind_minutes } = building;
  return (
    <ActionForm class="card form" aria-labelledby="mail" act={save} submit="mail.save">
      <h2 id="mail">{t("mail.title")}</h2>
      <p>{t("mail.text")}</p>
      <fieldset>
        <legend>{t("mail.which")}</legend>
        {choices.map((one) => (
          <label key={one} class="check">
            <input
              type="radio"
              name="mail"
              checked={one === choice}
              onChange={() => setChoice(one)}
            />
            {t(one)}
          </label>
        ))}
      </fieldset>
      {choice === "mail.asBuilding" && building.mail && (
        <TitlesOfMail kinds={building.mail.filter(isOffered)} />
      )}
      {choice === "mail.own" && <MailKinds kinds={offered} chosen={kept} />}
      <LanguageField
        value={preferences.language}
        none={
          language === undefined
            ? t("mail.asBuildingLanguage")
            : t("mail.asBuildingIs", { value: nameOfLanguage(language) })
        }
      />
      <LengthField
        name="remind_minutes"
        label="mail.remind"
        value={preferences.remind_minutes}
        {...(remind_minutes === undefined
          ? { hint: "mail.remindHint" }
          : {
              hint: "mail.remindHintIs",
              values: { length: formatExactLength(remind_minutes * MINUTE) },
            })}
      />
    </ActionForm>
  );
}
