import { type Language, languages, type MailKind } from "../../texts/kinds.ts";
import { plain, type Text, t, texts } from "../messages/translate.ts";
import { Check, SelectField } from "./fields.tsx";

interface MailKindsProperties {
  readonly name?: "mail" | "push";
  readonly kinds: readonly MailKind[];
  readonly chosen: readonly MailKind[];
}

export const MailKinds = ({ name = "mail", kinds, chosen }: MailKindsProperties) => (
  <fieldset>
    <legend>{t(`${name}.kinds`)}</legend>
    {kinds.map((kind) => (
      <Check key={kind} name={name} value={kind} checked={chosen.includes(kind)}>
        {titleOfKind(kind)}
      </Check>
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

export function kindsTyped(
  form: HTMLFormElement,
  kinds: readonly MailKind[],
  name = "mail",
): readonly MailKind[] {
  const checked = new FormData(form).getAll(name);
  return kinds.filter((kind) => checked.includes(kind));
}

const names = { en: "mail.en", de: "mail.de" } as const satisfies Record<Language, string>;

export const nameOfLanguage = (language: Language): Text => t(names[language]);

interface LanguageFieldProperties {
  readonly value: Language | null;
  readonly none?: Text;
}

export const LanguageField = ({ value, none }: LanguageFieldProperties) => (
  <SelectField
    name="language"
    label="mail.language"
    value={value ?? ""}
    options={[
      ...(none ? [["", none] as const] : []),
      ...languages.map((language) => [language, nameOfLanguage(language)] as const),
    ]}
  />
);
