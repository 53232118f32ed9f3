import { type Language, languages, type MailKind } from "../../texts/kinds.ts";
import { plain, type Text, t, texts } from "../messages/translate.ts";
import { type Action, Field } from "./form.tsx";
import { NumberField } from "./number-field.tsx";

/** The limits of the API: a later or earlier reminder helps nobody. */
const REMIND_MINUTES = { min: 5, max: 10_080 } as const;

interface MailKindsProperties {
  readonly legend: Text;
  readonly kinds: readonly MailKind[];
  readonly chosen: readonly MailKind[];
}

/** A checkbox for each kind of mail. `loadPart` loads its texts. */
export const MailKinds = ({ legend, kinds, chosen }: MailKindsProperties) => (
  <fieldset>
    <legend>{legend}</legend>
    {kinds.map((kind) => (
      <label key={kind} class="check">
        <input type="checkbox" name="mail" value={kind} defaultChecked={chosen.includes(kind)} />
        {titleOfKind(kind)}
      </label>
    ))}
  </fieldset>
);

export const TitlesOfMail = ({ kinds }: { readonly kinds: readonly MailKind[] }) => (
  <ul class="quiet small">
    {kinds.map((kind) => (
      <li key={kind}>{titleOfKind(kind)}</li>
    ))}
  </ul>
);

/** The same words as in the subject of the mail. */
const titleOfKind = (kind: MailKind): Text => plain(texts?.kinds[kind].title ?? kind);

/** The kinds with a checked box. */
export function kindsTyped(form: HTMLFormElement, kinds: readonly MailKind[]): readonly MailKind[] {
  const checked = new FormData(form).getAll("mail");
  return kinds.filter((kind) => checked.includes(kind));
}

const names = { en: "mail.en", de: "mail.de" } as const satisfies Record<Language, string>;

export const nameOfLanguage = (language: Language): Text => t(names[language]);

interface FieldOf<Value> {
  readonly label: Text;
  readonly value: Value;
  readonly action: Action;
}

interface LanguageFieldProperties extends FieldOf<Language | null> {
  /** The name of the choice of no language, if there is one. */
  readonly none?: Text;
}

export const LanguageField = ({ label, value, none, action }: LanguageFieldProperties) => (
  <Field
    name="language"
    label={label}
    invalid={action.invalid.includes("language")}
    control={(it) => (
      <select {...it}>
        {none && (
          <option value="" selected={value === null}>
            {none}
          </option>
        )}
        {languages.map((language) => (
          <option key={language} value={language} selected={language === value}>
            {nameOfLanguage(language)}
          </option>
        ))}
      </select>
    )}
  />
);

interface RemindFieldProperties extends FieldOf<number | null> {
  readonly hint?: Text;
  readonly required?: boolean;
}

export const RemindField = (properties: RemindFieldProperties) => (
  <NumberField name="remind_minutes" {...REMIND_MINUTES} {...properties} />
);
