import { type Text, t } from "../../messages/translate.ts";
import { explain } from "../states.tsx";
import type { Selection } from "./selection.ts";

interface BulkBarProperties<Row> {
  readonly selection: Selection<Row>;
  readonly nameOf: (row: Row) => string;
  /** What the button does with the chosen rows. */
  readonly action: Text;
  readonly act: () => void;
}

/** The bar above a list: people choose all rows there, and change the chosen ones together. */
export function BulkBar<Row>({ selection, nameOf, action, act }: BulkBarProperties<Row>) {
  const { rows, chosen, busy, done, refused, error } = selection;
  const isAll = rows.length > 0 && chosen.length === rows.length;
  const count = chosen.length;
  return (
    <div class="bulk no-print">
      {rows.length > 0 && (
        <div class="bulk-bar">
          <label class="check">
            <input
              type="checkbox"
              checked={isAll}
              indeterminate={count > 0 && !isAll}
              disabled={busy}
              onChange={selection.toggleAll}
            />
            {t("admin.selectAll", { count: rows.length })}
          </label>
          <span class="quiet" role="status">
            {busy
              ? t("admin.progress", { done, count })
              : count > 0 && t("admin.selected", { count })}
          </span>
          <button
            type="button"
            class="main-action"
            aria-disabled={busy || count === 0}
            onClick={() => count > 0 && act()}
          >
            {action}
          </button>
        </div>
      )}
      {error !== undefined && (
        <p class="refusal" role="alert">
          {explain(error)}
        </p>
      )}
      {refused.length > 0 && (
        <ul class="refusal" role="alert">
          {refused.map(({ row, error }, index) => (
            <li key={index}>{t("admin.refused", { name: nameOf(row), reason: explain(error) })}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface PickProperties<Row> {
  readonly selection: Selection<Row>;
  readonly row: Row;
  readonly name: string;
}

/** The box before a row. */
export function Pick<Row>({ selection, row, name }: PickProperties<Row>) {
  return (
    <label class="pick">
      <input
        type="checkbox"
        aria-label={t("admin.select", { name })}
        checked={selection.has(row)}
        disabled={selection.busy}
        onChange={() => selection.toggle(row)}
      />
    </label>
  );
}
