import { allSpots } from "../../api/lists.ts";
import { useReading } from "../../api/reading.ts";
import { t } from "../../messages/translate.ts";
import { Choice } from "../../parts/choice.tsx";
import { Sections } from "../../parts/sections.tsx";
import { updateQuery, useRoute } from "../../routing.ts";
import { useNow } from "../../time/clock.ts";
import { addDays, DAY, dateOf, isDate, timeZone } from "../../time/zone.ts";

/** The period of the reports, including both days. */
export interface Period {
  readonly first: string;
  readonly last: string;
  readonly today: string;
  readonly section: string;
  /** A longer period is shown by week. */
  readonly step: "day" | "week";
}

const USUAL_WEEKS = 4;
const weeks = [1, 4, 12, 26] as const;
const LONGEST_BY_DAYS = 35;

const startOf = (last: string, count: number): string => addDays(last, 1 - 7 * count);

export function usePeriod(): Period {
  const { query } = useRoute();
  const today = dateOf(useNow(), timeZone());
  const last = query.last && isDate(query.last) ? query.last : today;
  const first = query.first && isDate(query.first) ? query.first : startOf(last, USUAL_WEEKS);
  const days = (Date.parse(last) - Date.parse(first)) / DAY + 1;
  const step = days <= LONGEST_BY_DAYS ? "day" : "week";
  return { first, last, today, section: query.section ?? "", step };
}

export function PeriodControls({ period }: { readonly period: Period }) {
  const { first, last, today, section } = period;
  const spots = useReading(allSpots).value ?? [];
  const date = (name: "first" | "last") => (
    <label class="date">
      {t(`use.${name}`)}
      <input
        type="date"
        value={period[name]}
        onChange={(event) => updateQuery({ [name]: event.currentTarget.value || undefined })}
      />
    </label>
  );
  return (
    <div class="controls no-print">
      <Choice
        label={t("use.period")}
        value={last === today ? weeks.find((count) => startOf(last, count) === first) : undefined}
        options={weeks.map((count) => [count, t("use.weeks", { count })] as const)}
        choose={(count) =>
          updateQuery({ first: startOf(today, count ?? USUAL_WEEKS), last: undefined })
        }
      />
      {date("first")}
      {date("last")}
      <Sections spots={spots} section={section} />
    </div>
  );
}
