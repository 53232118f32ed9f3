import { elements, type Text } from "../elements.ts";

const { button, div } = elements;

interface ChoiceProperties<Value> {
  readonly label: Text;
  readonly options: readonly (readonly [Value, Text])[];
  readonly value: Value;
  readonly choose: (value: Value) => void;
}

/** Buttons in a row, one of which is pressed. */
export const Choice = <Value>({ label, options, value, choose }: ChoiceProperties<Value>) =>
  div(
    { class: "choice", role: "group", "aria-label": label },
    options.map(([option, name]) =>
      button(
        {
          key: String(option),
          type: "button",
          "aria-pressed": option === value ? "true" : "false",
          onClick: () => choose(option),
        },
        name,
      ),
    ),
  );
