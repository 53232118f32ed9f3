import { plain, t } from "../../messages/translate.ts";
import { Field } from "../../parts/form.tsx";
import { type List, meanings } from "./columns.ts";

interface ColumnFieldsProperties {
  readonly list: List;
  readonly change: (list: List) => void;
}

/** The meaning of each column. The page has guessed it, and the person can correct it. */
export function ColumnFields({ list, change }: ColumnFieldsProperties) {
  const { columns } = list;
  return (
    <fieldset>
      <legend>{t("people.columns")}</legend>
      <div class="fields">
        {columns.map((column, index) => (
          <Field
            key={index}
            name={`column-${index}`}
            label={plain(column.title || t("people.column", { number: index + 1 }))}
            control={(it) => (
              <select
                {...it}
                value={column.meaning ?? ""}
                onChange={(event) => {
                  const meaning = meanings.find((one) => one === event.currentTarget.value);
                  change({ ...list, columns: columns.with(index, { ...column, meaning }) });
                }}
              >
                <option value="">{t("people.leaveOutColumn")}</option>
                {meanings.map((meaning) => (
                  <option key={meaning} value={meaning}>
                    {t(`people.${meaning}`)}
                  </option>
                ))}
              </select>
            )}
          />
        ))}
      </div>
    </fieldset>
  );
}
