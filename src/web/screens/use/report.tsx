import { useId } from "preact/hooks";
import { useReading } from "../../api/reading.ts";
import type { Child } from "../../jsx.ts";
import { type Text, t } from "../../messages/translate.ts";
import { download } from "../../parts/download.ts";
import { ActionButton, Refusal, useAction } from "../../parts/form.tsx";
import { whenRead } from "../../parts/states.tsx";
import { type Question, type ReportName, type Rows, readCsv, report } from "./reports.ts";

interface ReportProperties<Name extends ReportName> {
  readonly name: Name;
  readonly title: Text;
  readonly question: Question;
  readonly show: (rows: Rows[Name]) => Child;
}

/** Without it, spreadsheets assume another encoding for the file. */
const BYTE_ORDER_MARK = "\uFEFF";

/** A report, which is also available as a file. */
export function Report<Name extends ReportName>(properties: ReportProperties<Name>) {
  const { name, title, question, show } = properties;
  const reading = useReading(report(name, question));
  const action = useAction();
  const id = useId();
  const save = async () => {
    const csv = await readCsv(name, question);
    download(`${name}.csv`, "text/csv", BYTE_ORDER_MARK + csv);
  };
  return (
    <section class="card stack" aria-labelledby={id}>
      <div class="head-row">
        <h2 id={id}>{title}</h2>
        <ActionButton
          class="small-action"
          aria-label={t("use.downloadOf", { name: title })}
          action={action}
          act={save}
        >
          {t("use.download")}
        </ActionButton>
      </div>
      <Refusal action={action} />
      {whenRead(reading, show)}
    </section>
  );
}
