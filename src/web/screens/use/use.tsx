import { useId } from "preact/hooks";
import { allSpots } from "../../api/lists.ts";
import { ApiProblem } from "../../api/problem.ts";
import { useReading } from "../../api/reading.ts";
import type { Child } from "../../jsx.ts";
import type { MessageKey } from "../../messages/en.ts";
import { type Text, t } from "../../messages/translate.ts";
import { Choice } from "../../parts/controls.tsx";
import { download } from "../../parts/download.ts";
import { ActionButton } from "../../parts/form.tsx";
import { Sections } from "../../parts/sections.tsx";
import { Failed, whenRead } from "../../parts/states.tsx";
import { updateQuery, useRoute } from "../../routing.ts";
import { useNow } from "../../time/clock.ts";
import { formatSpan, formatted } from "../../time/format.ts";
import { addDays, DAY, dateOf, isDate, timeZone } from "../../time/zone.ts";
import { ByHour, BySection, Never, Unmet } from "./figures.tsx";
import { type Question, type ReportName, type Rows, readCsv, report } from "./reports.ts";

export function Use() {
  const period = usePeriod();
  const question = {
    from: period.first,
    until: addDays(period.last, 1),
    section: period.section || undefined,
  };
  const { error } = useReading(report("use-by-hour", question));
  const controls = <PeriodControls period={period} />;
  // If one report refuses a period, all do, so the page says it once.
  if (error instanceof ApiProblem && error.status === 400) {
    return (
      <div class="stack">
        {controls}
        <Failed error={error} />
      </div>
    );
  }
  return (
    <div class="stack">
      {controls}
      <Report
        name="use-by-hour"
        title="use.byHour"
        question={question}
        show={({ hours }) => <ByHour hours={hours} />}
      />
      <Report
        name="use-by-section"
        title="use.bySection"
        question={{ ...question, step: period.step }}
        show={({ sections }) => <BySection uses={sections} step={period.step} />}
      />
      <Report
        name="spots-never-offered"
        title="use.neverOffered"
        question={question}
        show={({ spots }, title) => (
          <Never
            title={title}
            none="use.noneNeverOffered"
            last="use.lastOffered"
            rows={spots.map(({ last_offered: last, ...spot }) => ({
              ...spot,
              last: last === null ? t("use.never") : formatted("date", last),
            }))}
          />
        )}
      />
      <Report
        name="windows-never-claimed"
        title="use.neverClaimed"
        question={question}
        show={({ windows }, title) => (
          <Never
            title={title}
            none="use.noneNeverClaimed"
            last="board.time"
            rows={windows.map(({ start_time, end_time, ...window }) => ({
              ...window,
              last: formatSpan(start_time, end_time),
            }))}
          />
        )}
      />
      <Report
        name="unmet-wishes"
        title="use.unmet"
        question={question}
        show={({ hours }) => <Unmet hours={hours} />}
      />
    </div>
  );
}

const USUAL_WEEKS = 4;
const weeks = [1, 4, 12, 26] as const;
const LONGEST_BY_DAYS = 35;

const startOf = (last: string, count: number): string => addDays(last, 1 - 7 * count);

/** The period of the reports, including both days. */
function usePeriod() {
  const { query } = useRoute();
  const today = dateOf(useNow(), timeZone());
  const last = query.last && isDate(query.last) ? query.last : today;
  const first = query.first && isDate(query.first) ? query.first : startOf(last, USUAL_WEEKS);
  const days = (Date.parse(last) - Date.parse(first)) / DAY + 1;
  const step: "day" | "week" = days <= LONGEST_BY_DAYS ? "day" : "week";
  return { first, last, today, section: query.section ?? "", step };
}

function PeriodControls({ period }: { readonly period: ReturnType<typeof usePeriod> }) {
  const { first, last, today, section } = period;
  const spots = useReading(allSpots).value ?? [];
  const date = (name: "first" | "last", label: MessageKey) => (
    <label class="date">
      {t(label)}
      <input
        type="date"
        value={period[name]}
        onChange={(event) => updateQuery({ [name]: event.currentTarget.value || undefined })}
      />
    </label>
  );
  return (
    <div class="beside controls no-print">
      <Choice
        label="use.period"
        value={last === today ? weeks.find((count) => startOf(last, count) === first) : undefined}
        options={weeks.map((count) => [count, t("use.weeks", { count })] as const)}
        choose={(count) =>
          updateQuery({ first: startOf(today, count ?? USUAL_WEEKS), last: undefined })
        }
      />
      {date("first", "board.firstDay")}
      {date("last", "share.lastDay")}
      <Sections spots={spots} section={section} />
    </div>
  );
}

interface ReportProperties<Name extends ReportName> {
  readonly name: Name;
  readonly title: MessageKey;
  readonly question: Question;
  readonly show: (rows: Rows[Name], title: Text) => Child;
}

/** Without it, spreadsheets assume another encoding for the file. */
const BYTE_ORDER_MARK = "\uFEFF";

function Report<Name extends ReportName>(properties: ReportProperties<Name>) {
  const { name, question, show } = properties;
  const title = t(properties.title);
  const reading = useReading(report(name, question));
  const id = useId();
  const save = async () => {
    const csv = await readCsv(name, question);
    download(`${name}.csv`, "text/csv", BYTE_ORDER_MARK + csv);
  };
  return (
    <section class="card stack" aria-labelledby={id}>
      <div class="beside head-row">
        <h2 id={id}>{title}</h2>
        <ActionButton
          class="small-action"
          aria-label={t("use.downloadOf", { name: title })}
          act={save}
          text="use.download"
        />
      </div>
      {whenRead(reading, (rows) => show(rows, title))}
    </section>
  );
}
