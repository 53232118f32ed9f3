import type { JSX } from "../jsx.ts";
import { languagesOfPage, speak } from "../messages/choice.ts";
import type { MessageKey } from "../messages/en.ts";
import { language, plain, type Text, t } from "../messages/translate.ts";
import { navigate, updateQuery } from "../routing.ts";
import { mayLeave } from "../unsaved.ts";

export type ButtonProperties = JSX.IntrinsicElements["button"] & { readonly text?: MessageKey };

/** A button that acts at once. One that takes a while is an ActionButton (./form.tsx). */
export const Button = ({ text, children, ...attributes }: ButtonProperties) => (
  <button type="button" {...attributes}>
    {text ? t(text) : children}
  </button>
);

type LinkProperties = JSX.IntrinsicElements["a"] & {
  readonly href: string;
  readonly text?: MessageKey;
};

/** A link within the page. With a modifier key it opens a tab, like any link. */
export const Link = ({ text, children, ...attributes }: LinkProperties) => (
  <a
    {...attributes}
    onClick={(event) => {
      attributes.onClick?.(event);
      const isPlain = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
      if (!isPlain || event.button !== 0) return;
      event.preventDefault();
      navigate(attributes.href);
    }}
  >
    {text ? t(text) : children}
  </a>
);

interface AddButtonProperties {
  /** The name in the address that has the form. */
  readonly opens: string;
  readonly text: MessageKey;
  readonly class?: string;
}

/** Opens the form for something new. */
export const AddButton = ({ opens, text, class: look }: AddButtonProperties) => (
  <Button class={look} onClick={() => updateQuery({ [opens]: "yes" })}>
    <Icon name="add" />
    {t(text)}
  </Button>
);

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
    choose={(chosen) => mayLeave() && speak(chosen)}
    areLanguages
  />
);

/** Icons drawn with strokes, in a square of 24. */
const icons = {
  now: "M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17M12 7.5v5l3 2",
  board: "M4 6h7M4 12h12M4 18h9M15 6h5M17 18h3",
  claims: "M5 5h14v15H5zM5 10h14M9 3v4M15 3v4M9 15l2 2 4-4",
  spots: "M8 20V5h5.5a4.5 4.5 0 0 1 0 9H8",
  inbox: "M4 13l3-8h10l3 8v6H4zM4 13h5l1 2h4l1-2h5",
  person: "M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8M4 21c1-5 15-5 16 0",
  close: "M6 6l12 12M18 6L6 18",
  back: "M15 5l-7 7 7 7",
  forward: "M9 5l7 7-7 7",
  add: "M12 5v14M5 12h14",
  filters: "M4 7h16M7 12h10M10 17h4",
  unverified:
    "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 16.5v.5",
  check: "M5 13l4 4L19 7",
  star: "M12 3.5l2.6 5.5 6 .8-4.4 4.2 1.1 6L12 17.1 6.7 20l1.1-6L3.4 9.8l6-.8z",
  more: "M5 12h.01M12 12h.01M19 12h.01",
} as const;

export type IconName = keyof typeof icons;

/** Only decoration: the meaning is in the text beside it, or in the label of its button. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={icons[name]} />
  </svg>
);

interface MarkProperties {
  readonly mark: string | null | undefined;
  /** The name of the building. Its first letter replaces a missing mark. */
  readonly name: string;
}

/** The sign of the building. The name beside it says the same. */
export const Mark = ({ mark, name }: MarkProperties) => (
  <span class="mark" aria-hidden="true">
    {plain(mark || ([...name][0] ?? "P").toLocaleUpperCase())}
  </span>
);

/** Marks a spot that no administrator has verified. The words are elsewhere on the screen. */
export const UnverifiedMark = () => (
  <span class="unverified">
    <Icon name="unverified" />
  </span>
);

export const Unverified = () => (
  <span class="badge attention">
    <UnverifiedMark />
    {t("spots.unverified")}
  </span>
);
