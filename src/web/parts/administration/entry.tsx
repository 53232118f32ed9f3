import type { Child } from "../../jsx.ts";
import { plain, type Text, t } from "../../messages/translate.ts";
import { Pick } from "./bulk-bar.tsx";
import type { Selection } from "./selection.ts";

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
  return (
    <li class="entry-row">
      {action && <Pick selection={selection} row={row} name={name} />}
      <div class="about">
        <p>
          <strong>{plain(name)}</strong>
          {badges}
        </p>
        <p class="quiet small">{plain(about.join(" · "))}</p>
      </div>
      <div class="actions">
        {action && (
          <button
            type="button"
            aria-label={action.label}
            aria-disabled={selection.busy}
            onClick={action.run}
          >
            {action.name}
          </button>
        )}
        <button type="button" aria-label={t("admin.manageOne", { name })} onClick={manage}>
          {t("admin.manage")}
        </button>
      </div>
    </li>
  );
}
