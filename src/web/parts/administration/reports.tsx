import { put } from "../../api/client.ts";
import { allSpots, list } from "../../api/lists.ts";
import { useReading } from "../../api/reading.ts";
import type { SpotReport } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { formatted } from "../../time/format.ts";
import { ActionButton } from "../form.tsx";
import { toast } from "../toasts.tsx";
import { Entry } from "./list.tsx";

/** The strangers' cars with which nobody has dealt yet. */
export const openReports = list<SpotReport>("/spot-reports", ["spot-reports"], {
  is_resolved: false,
});

interface ReportsProperties {
  readonly reports: readonly SpotReport[];
  /** A concierge does not know the names of all people. */
  readonly reporterOf?: (report: SpotReport) => string;
}

export const Reports = ({ reports, reporterOf }: ReportsProperties) => (
  <ul class="entries">
    {reports.map((report) => (
      <Report key={report.id} report={report} reporter={reporterOf?.(report)} />
    ))}
  </ul>
);

interface ReportProperties {
  readonly report: SpotReport;
  readonly reporter: string | undefined;
}

function Report({
  report: { id, spot_id, vehicle, note, created_at },
  reporter,
}: ReportProperties) {
  const spot = useReading(allSpots).value?.find((it) => it.id === spot_id);
  const name = spot?.spot_number ?? "";
  const when = formatted("moment", created_at);
  const resolve = async () => {
    await put(`/admin/spot-reports/${id}`, { is_resolved: true });
    toast(t("waiting.resolved", { name }));
  };
  return (
    <Entry
      name={name}
      badges={vehicle !== undefined && <span class="badge">{plain(vehicle)}</span>}
      about={[
        reporter === undefined
          ? t("waiting.reported", { when })
          : t("waiting.reportedBy", { reporter, when }),
      ]}
      actions={
        <ActionButton
          act={resolve}
          aria-label={t("waiting.resolveOne", { name })}
          text="waiting.resolve"
        />
      }
    >
      {note !== undefined && <p>{plain(note)}</p>}
    </Entry>
  );
}
