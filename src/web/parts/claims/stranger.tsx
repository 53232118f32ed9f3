import { lastReports } from "../../api/lists.ts";
import { useReading } from "../../api/reading.ts";
import type { SpotReport } from "../../api/resources.ts";
import { t } from "../../messages/translate.ts";
import { updateQuery } from "../../routing.ts";
import { useNow } from "../../time/clock.ts";
import { formatted } from "../../time/format.ts";
import { DAY } from "../../time/zone.ts";

/** The report of a car on this spot with which nobody has dealt yet. */
export const openReport = (
  reports: readonly SpotReport[],
  spotId: string,
  now: number,
): SpotReport | undefined =>
  reports.find(
    ({ spot_id, is_resolved, created_at }) =>
      spot_id === spotId && !is_resolved && now - Date.parse(created_at) < DAY,
  );

interface StrangerProperties {
  readonly spotId: string;
  readonly class?: string;
  readonly "aria-describedby"?: string;
}

/** Opens the report of a stranger's car, or what became of it. */
export function StrangerButton({ spotId, ...attributes }: StrangerProperties) {
  const now = useNow();
  const report = openReport(useReading(lastReports).value ?? [], spotId, now);
  return (
    <button {...attributes} type="button" onClick={() => updateQuery({ report: spotId })}>
      {report
        ? t("claims.reported", { time: formatted("time", report.created_at) })
        : t("claims.stranger")}
    </button>
  );
}
