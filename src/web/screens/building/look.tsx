import { useState } from "preact/hooks";
import { plain, t } from "../../messages/translate.ts";
import { colourStyles } from "../../parts/colour.ts";
import { Check, TextField } from "../../parts/fields.tsx";
import { Mark } from "../../parts/icons.tsx";

/** The colour of a building without its own, as in styles/base.css. */
const USUAL = "#0b63b0";

interface Look {
  readonly name: string;
  readonly mark: string | null;
  readonly colour: string | null;
}

export function LookFields({ look }: { readonly look: Look }) {
  const [typed, set] = useState(look);
  return (
    <>
      <TextField
        name="name"
        label="building.name"
        required
        value={typed.name}
        change={(name) => set({ ...typed, name })}
      />
      <div class="fields">
        <TextField
          name="mark"
          label="building.mark"
          hint="building.markHint"
          autocomplete="off"
          value={typed.mark}
          change={(mark) => set({ ...typed, mark: shortened(mark) })}
        />
        <div class="field">
          <Check
            name="colour"
            checked={typed.colour !== null}
            change={(own) => set({ ...typed, colour: own ? (look.colour ?? USUAL) : null })}
          >
            {t("building.ownColour")}
          </Check>
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
          <div key={theme} class={theme} style={colourStyles(typed.colour ?? USUAL)}>
            <Mark mark={typed.mark} name={typed.name} />
            <strong>{plain(typed.name)}</strong>
            <span class="sample">{t("claim.claim")}</span>
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

export const lookTyped = (typed: Readonly<Record<string, string>>): Look => ({
  name: typed.name ?? "",
  mark: typed.mark || null,
  colour: typed.colour || null,
});
