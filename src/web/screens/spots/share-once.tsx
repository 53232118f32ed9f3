import { timeZone } from "../../api/building.ts";
import { t } from "../../messages/translate.ts";
import { MomentField, momentOf, type TypedMoment, typed } from "../../parts/moment-field.tsx";
import { addDays, dateOf } from "../../time/zone.ts";
import type { Span } from "../claim/times.ts";

/** One window, from a moment until another. */
export interface Once {
  readonly start: TypedMoment;
  readonly end: TypedMoment;
}

/** A working day, beginning tomorrow. */
export function onceAtFirst(now: number): Once {
  const date = addDays(dateOf(now, timeZone()), 1);
  return { start: { date, time: "08:00" }, end: { date, time: "18:00" } };
}

export const onceOf = ({ start, end }: Span): Once => ({ start: typed(start), end: typed(end) });

/** Empty while it is incomplete. */
export function spanOfOnce({ start, end }: Once): readonly Span[] {
  const [from, until] = [momentOf(start), momentOf(end)];
  return from === undefined || until === undefined || until <= from
    ? []
    : [{ start: from, end: until }];
}

interface OnceFieldsProperties {
  readonly value: Once;
  readonly change: (value: Once) => void;
  readonly invalid?: readonly string[];
}

export const OnceFields = ({ value, change, invalid = [] }: OnceFieldsProperties) => (
  <div class="fields">
    <MomentField
      name="start"
      label={t("time.from")}
      value={value.start}
      // Most windows end on the day on which they start.
      change={(start) =>
        change({
          start,
          end: value.end.date === value.start.date ? { ...value.end, date: start.date } : value.end,
        })
      }
      invalid={invalid.includes("start_time")}
    />
    <MomentField
      name="end"
      label={t("time.until")}
      value={value.end}
      change={(end) => change({ ...value, end })}
      invalid={invalid.includes("end_time")}
    />
  </div>
);
