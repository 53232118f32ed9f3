import { lastReports, openReport } from "../../api/lists.ts";
import { useReading } from "../../api/reading.ts";
import { t } from "../../messages/translate.ts";
import { updateQuery } from "../../routing.ts";
import { useNow } from "../../time/clock.ts";
import { formatted } from "../../time/format.ts";
import { Button } from "../controls.tsx";

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
    <Button {...attributes} onClick={() => updateQuery({ report: spotId })}>
      {report
        ? t("claims.reported", { time: formatted("time", report.created_at) })
        : t("claims.stranger")}
    </Button>
  );
}
