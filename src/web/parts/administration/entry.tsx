import type { Child } from "../../jsx.ts";
import { plain, type Text, t } from "../../messages/translate.ts";
import { Pick } from "./bulk-bar.tsx";
import type { Selection } from "./selection.ts";

interface RowAction {
  readonly name: Text;
  readonly label: Text;
  readonly run: () => void;
}

interface EntryProperties<Row> {
  readonly row: Row;
  readonly name: string;
  readonly badges: Child;
  readonly about: readonly string[];
  readonly selection: Selection<Row>;
  /** The same action for this row alone. Only for rows that can be chosen. */
  readonly action: RowAction | false;
  /** The alternative action. */
  readonly other?: RowAction | false;
  readonly manage: () => void;
}

/** A row of a list, with its actions. */
export function Entry<Row>(properties: EntryProperties<Row>) {
  const { row, name, badges, about, selection, action, other, manage } = properties;
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
        {[action, other].map(
          (it) =>
            it && (
              <button
                key={it.name}
                type="button"
                aria-label={it.label}
                aria-disabled={selection.busy}
                onClick={it.run}
              >
                {it.name}
              </button>
            ),
        )}
        <button type="button" aria-label={t("admin.manageOne", { name })} onClick={manage}>
          {t("admin.manage")}
        </button>
      </div>
    </li>
  );
}
