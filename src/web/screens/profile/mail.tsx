import { useBuilding } from "../../api/building.ts";
import { t } from "../../messages/translate.ts";
import { ActionForm, formValues } from "../../parts/form.tsx";
import { LengthField, minutesTyped } from "../../parts/length-field.tsx";
import { LanguageField, nameOfLanguage } from "../../parts/mail-fields.tsx";
import { toast } from "../../parts/toasts.tsx";
import { formatExactLength } from "../../time/format.ts";
import { MINUTE } from "../../time/zone.ts";
import { touchedOf } from "../../unsaved.ts";
import { useKinds } from "./kinds.tsx";
import { type Preferences, savePreferences } from "./preferences.ts";

/** Which mails the person gets, their language, and how early the person is reminded of a claim. */
export function Mail({ preferences }: { readonly preferences: Preferences }) {
  const building = useBuilding();
  const kinds = useKinds("mail", "mail.which", preferences.mail);
  const save = async (form: HTMLFormElement) => {
    const typed = formValues(form);
    const saved = await savePreferences(
      touchedOf(form, {
        mail: kinds.typed(form),
        language: typed.language || null,
        remind_minutes: minutesTyped(form, "remind_minutes"),
      }),
    );
    kinds.saved(saved.mail);
    toast(t("mail.saved"));
  };
  const { language, remind_minutes } = building;
  return (
    <ActionForm class="card stack" aria-labelledby="mail" act={save} submit="mail.save">
      <h2 id="mail">{t("mail.title")}</h2>
      <p>{t("mail.text")}</p>
      {kinds.fields}
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
