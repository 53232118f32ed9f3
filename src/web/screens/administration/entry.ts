import { type Child, elements, part, plain, type Text } from "../../elements.ts";
import { t } from "../../messages/translate.ts";
import { Pick } from "./bulk-bar.ts";
import type { Selection } from "./selection.ts";

const { button, div, li, p, strong } = elements;

interface EntryProperties<Row> {
  readonly row: Row;
  readonly name: string;
  readonly badges: Child;
  readonly about: readonly string[];
  readonly selection: Selection<Row>;
  /** Only for rows that can be chosen: the same for this one alone. */
  readonly action: { readonly name: Text; readonly label: Text; readonly run: () => void } | false;
  readonly manage: () => void;
}

/** A row of a list, with what can be done with it. */
export function Entry<Row>(properties: EntryProperties<Row>) {
  const { row, name, badges, about, selection, action, manage } = properties;
  return li(
    { class: "entry-row" },
    action && part(Pick<Row>, { selection, row, name }),
    div(
      { class: "about" },
      p({}, strong({}, plain(name)), badges),
      p({ class: "quiet small" }, plain(about.join(" · "))),
    ),
    div(
      { class: "actions" },
      action &&
        button(
          {
            type: "button",
            "aria-label": action.label,
            disabled: selection.busy,
            onClick: action.run,
          },
          action.name,
        ),
      button(
        { type: "button", "aria-label": t("admin.manageOne", { name }), onClick: manage },
        t("admin.manage"),
      ),
    ),
  );
}
