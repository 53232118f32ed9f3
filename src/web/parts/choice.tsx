import { languagesOfPage, speak } from "../messages/choice.ts";
import type { MessageKey } from "../messages/en.ts";
import { language, type Text, t } from "../messages/translate.ts";
import { Button } from "./button.tsx";

interface ChoiceProperties<Value> {
  readonly label: MessageKey;
  readonly options: readonly (readonly [Value, Text])[];
  readonly value: Value;
  readonly choose: (value: Value) => void;
  /** Each option is a language, with its own name for itself. */
  readonly areLanguages?: boolean;
}

export function Choice<Value>(properties: ChoiceProperties<Value>) {
  const { label, options, value, choose, areLanguages } = properties;
  return (
    <div class="choice" role="group" aria-label={t(label)}>
      {options.map(([option, name]) => (
        <Button
          key={String(option)}
          lang={areLanguages ? String(option) : undefined}
          aria-pressed={option === value ? "true" : "false"}
          onClick={() => choose(option)}
        >
          {name}
        </Button>
      ))}
    </div>
  );
}

export const LanguageChoice = () => (
  <Choice
    label="app.language"
    options={languagesOfPage}
    value={language}
    choose={speak}
    areLanguages
  />
);
