import { useId } from "preact/hooks";
import { useReading } from "../../api/reading.ts";
import { type Child, elements, type Text } from "../../elements.ts";
import { t } from "../../messages/translate.ts";
import { download } from "../../parts/download.ts";
import { refusal, useAction } from "../../parts/form.ts";
import { whenRead } from "../../parts/states.ts";
import { type Question, type ReportName, type Rows, readCsv, report } from "./reports.ts";

const { button, div, h2, section } = elements;

interface ReportProperties<Name extends ReportName> {
  readonly name: Name;
  readonly title: Text;
  readonly question: Question;
  readonly show: (rows: Rows[Name]) => Child;
}

/** Spreadsheets take a file without it for one in another encoding. */
const BYTE_ORDER_MARK = "\uFEFF";

/** A report, and the same as a file. */
export function Report<Name extends ReportName>(properties: ReportProperties<Name>) {
  const { name, title, question, show } = properties;
  const reading = useReading(report(name, question));
  const action = useAction();
  const id = useId();
  const save = async () => {
    const csv = await readCsv(name, question);
    download(`${name}.csv`, "text/csv", BYTE_ORDER_MARK + csv);
  };
  return section(
    { class: "card stack", "aria-labelledby": id },
    div(
      { class: "head-row" },
      h2({ id }, title),
      button(
        {
          type: "button",
          class: "small-action",
          "aria-label": t("use.downloadOf", { name: title }),
          disabled: action.busy,
          onClick: () => action.run(save),
        },
        t("use.download"),
      ),
    ),
    refusal(action),
    whenRead(reading, show),
  );
}
