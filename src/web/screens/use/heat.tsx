import { plain, type Text, t } from "../../messages/translate.ts";
import { formatShare, formatWeekday } from "./format.ts";

const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;

/** A share of something in an hour of the week; null where there was nothing to have a share of. */
interface HourOfWeek {
  readonly weekday: number;
  readonly hour: number;
  readonly share: number | null;
}

interface HeatProperties {
  readonly title: Text;
  readonly hours: readonly HourOfWeek[];
  /** What null means. */
  readonly nothing: Text;
}

/** A heat map of the week. Each cell says its number: nobody has to compare colours. */
export const Heat = ({ title, hours, nothing }: HeatProperties) => (
  <div class="table-box" tabIndex={0} role="group" aria-label={title}>
    <table class="heat">
      <caption class="unseen">{title}</caption>
      <thead>
        <tr>
          <th scope="col">{t("use.hour")}</th>
          {weekdays.map((weekday) => (
            <th key={weekday} scope="col">
              {formatWeekday(weekday)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {[...Map.groupBy(hours, ({ hour }) => hour)].map(([hour, ofHour]) => (
          <tr key={hour}>
            <th scope="row">{plain(`${String(hour).padStart(2, "0")}:00`)}</th>
            {ofHour.map((it) => cell(it, nothing))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const cell = ({ weekday, share }: HourOfWeek, nothing: Text) =>
  share === null ? (
    <td key={weekday}>
      <span aria-hidden="true">{plain("–")}</span>
      <span class="unseen">{nothing}</span>
    </td>
  ) : (
    <td key={weekday} style={{ "--share": `${share * 100}%` }}>
      {formatShare(share)}
    </td>
  );
