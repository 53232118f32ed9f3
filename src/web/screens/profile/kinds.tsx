import { useState } from "preact/hooks";
import { type MailKind, mailKinds } from "../../../texts/kinds.ts";
import { useBuilding } from "../../api/building.ts";
import { person } from "../../api/person.ts";
import type { MessageKey } from "../../messages/en.ts";
import { t } from "../../messages/translate.ts";
import { Check } from "../../parts/fields.tsx";
import { kindsTyped, MailKinds, TitlesOfMail } from "../../parts/mail-fields.tsx";
import { useStore } from "../../store.ts";

/** The chosen kinds. Null means the building's default. */
type Kinds = readonly MailKind[] | null;

const choices = ["mail.asBuilding", "mail.own", "mail.nothing"] as const;
type Choice = (typeof choices)[number];

const forAdministrators: readonly MailKind[] = ["profiles.waiting", "webhook.disabled"];

function choiceOf(kinds: Kinds): Choice {
  if (kinds === null) return "mail.asBuilding";
  return kinds.length === 0 ? "mail.nothing" : "mail.own";
}

/** The kinds of messages that a person gets by mail, or on devices. */
export function useKinds(name: "mail" | "push", legend: MessageKey, chosen: Kinds) {
  const building = useBuilding();
  const isAdmin = useStore(person)?.profile?.is_admin === true;
  const [choice, setChoice] = useState(choiceOf(chosen));
  const proposed = building.mail ?? mailKinds;
  const kept = chosen?.length ? chosen : proposed;
  const isOffered = (kind: MailKind) => isAdmin || !forAdministrators.includes(kind);
  const offered = mailKinds.filter(isOffered);
  return {
    typed(form: HTMLFormElement): Kinds {
      if (choice !== "mail.own") return choice === "mail.nothing" ? [] : null;
      const checked = kindsTyped(form, offered, name);
      // A person who becomes an administrator later also gets the administrators' messages, unless
      // they want none.
      return checked.length === 0 ? [] : [...checked, ...kept.filter((kind) => !isOffered(kind))];
    },
    /** After saving: a person who chose no kind chose nothing. */
    saved: (kinds: Kinds) => setChoice(choiceOf(kinds)),
    fields: (
      <>
        <fieldset>
          <legend>{t(legend)}</legend>
          {choices.map((one) => (
            <Check
              key={one}
              type="radio"
              name={name}
              checked={one === choice}
              change={() => setChoice(one)}
            >
              {t(one)}
            </Check>
          ))}
        </fieldset>
        {choice === "mail.asBuilding" && building.mail && (
          <TitlesOfMail kinds={building.mail.filter(isOffered)} />
        )}
        {choice === "mail.own" && <MailKinds name={name} kinds={offered} chosen={kept} />}
      </>
    ),
  };
}
