import type { MessageKey } from "../messages/en.ts";
import { type Text, t } from "../messages/translate.ts";

interface ChoiceProperties<Value> {
  readonly label: MessageKey;
  readonly options: readonly (readonly [Value, Text])[];
  readonly value: Value;
  readonly choose: (value: Value) => void;
}

export function Choice<Value>({ label, options, value, choose }: ChoiceProperties<Value>) {
  return (
    <div class="choice" role="group" aria-label={t(label)}>
      {options.map(([option, name]) => (
        <button
          key={String(option)}
          type="button"
          aria-pressed={option === value ? "true" : "false"}
          onClick={() => choose(option)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
