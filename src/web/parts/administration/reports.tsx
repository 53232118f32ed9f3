import { put, queryGraphQL } from "../../api/client.ts";
import type { Source } from "../../api/reading.ts";
import { plain, t } from "../../messages/translate.ts";
import { formatted } from "../../time/format.ts";
import { ActionButton } from "../form.tsx";
import { toast } from "../toasts.tsx";
import { Entry } from "./list.tsx";

interface OpenReport {
  readonly id: string;
  readonly vehicle: string | null;
  readonly note: string | null;
  readonly created_at: string;
  readonly reporter_id: string;
  readonly spot: { readonly spot_number: string };
}

const query = `{
  spotReports(condition: { isResolved: false }, first: 200) {
    nodes { id vehicle note created_at: createdAt reporter_id: reporterId spot { spot_number: spotNumber } }
  }
}`;

/** The strangers' cars with which nobody has dealt yet. */
export const openReports: Source<readonly OpenReport[]> = {
  key: "open reports",
  topics: ["spot-reports", "spots"],
  async read() {
    type Answer = { readonly spotReports: { readonly nodes: readonly OpenReport[] } };
    return (await queryGraphQL<Answer>(query, {})).spotReports.nodes;
  },
};

interface ReportsProperties {
  readonly reports: readonly OpenReport[];
  /** A concierge does not know the names of all people. */
  readonly reporterOf?: (report: OpenReport) => string;
}

export const Reports = ({ reports, reporterOf }: ReportsProperties) => (
  <ul class="entries">
    {reports.map((report) => (
      <Report key={report.id} report={report} reporter={reporterOf?.(report)} />
    ))}
  </ul>
);

interface ReportProperties {
  readonly report: OpenReport;
  readonly reporter: string | undefined;
}

function Report({ report: { id, spot, vehicle, note, created_at }, reporter }: ReportProperties) {
  const name = spot.spot_number;
  const when = formatted("moment", created_at);
  const resolve = async () => {
    await put(`/admin/spot-reports/${id}`, { is_resolved: true });
    toast(t("waiting.resolved", { name }));
  };
  return (
    <Entry
      name={name}
      badges={vehicle !== null && <span class="badge">{plain(vehicle)}</span>}
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
      {note !== null && <p>{plain(note)}</p>}
    </Entry>
  );
}
