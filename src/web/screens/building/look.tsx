import { useState } from "preact/hooks";
import { plain, t } from "../../messages/translate.ts";
import { colourStyles } from "../../parts/colour.ts";
import { type Action, Field } from "../../parts/form.tsx";
import { Mark } from "../../parts/mark.tsx";

/** The colour of a building without its own, as in styles/base.css. */
const USUAL = "#0b63b0";

interface Look {
  readonly name: string;
  readonly mark: string | null;
  readonly colour: string | null;
}

interface LookFieldsProperties {
  readonly look: Look;
  readonly action: Action;
}

/** Name, mark and colour, and a preview of them together. */
export function LookFields({ look, action }: LookFieldsProperties) {
  const [typed, set] = useState(look);
  const isInvalid = (name: string) => action.invalid.includes(name);
  return (
    <>
      <Field
        name="name"
        label={t("building.name")}
        invalid={isInvalid("name")}
        control={(it) => (
          <input
            {...it}
            required
            maxLength={100}
            value={typed.name}
            onInput={(event) => set({ ...typed, name: event.currentTarget.value })}
          />
        )}
      />
      <div class="fields">
        <Field
          name="mark"
          label={t("building.mark")}
          hint={t("building.markHint")}
          invalid={isInvalid("mark")}
          control={(it) => (
            <input
              {...it}
              autocomplete="off"
              value={typed.mark ?? ""}
              onInput={(event) => {
                const mark = shortened(event.currentTarget.value);
                event.currentTarget.value = mark;
                set({ ...typed, mark });
              }}
            />
          )}
        />
        <div class="field">
          <label class="check">
            <input
              type="checkbox"
              name="colour"
              checked={typed.colour !== null}
              onChange={(event) =>
                set({
                  ...typed,
                  colour: event.currentTarget.checked ? (look.colour ?? USUAL) : null,
                })
              }
            />
            {t("building.ownColour")}
          </label>
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
      <figure class="look-preview">
        <figcaption class="quiet small">{t("building.preview")}</figcaption>
        {(["light", "dark"] as const).map((theme) => (
          <div key={theme} style={{ colorScheme: theme, ...colourStyles(typed.colour ?? USUAL) }}>
            <Mark mark={typed.mark} name={typed.name} />
            <strong>{plain(typed.name)}</strong>
            <span class="sample">{t("building.sample")}</span>
          </div>
        ))}
      </figure>
    </>
  );
}

/** The first two characters, or an emoji with the characters that belong to it. */
const shortened = (typed: string): string => {
  const [first = "", second = "", third = ""] = typed;
  return first + (second === "\uFE0F" || third !== "\uFE0F" ? second : "");
};

/** The values in the form of the API. */
export const lookTyped = (typed: Readonly<Record<string, string>>): Look => ({
  name: typed.name ?? "",
  mark: typed.mark || null,
  colour: typed.colour || null,
});
