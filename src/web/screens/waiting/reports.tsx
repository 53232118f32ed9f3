import { put } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import type { SpotReport } from "../../api/waiting.ts";
import { plain, t } from "../../messages/translate.ts";
import { describePerson, usePeople } from "../../parts/administration/people.ts";
import { Refusal, useAction } from "../../parts/form.tsx";
import { toast } from "../../parts/toasts.tsx";
import { formatted } from "../../time/format.ts";
import { Part } from "./part.tsx";

/** Strangers' cars that nobody has handled. */
export const Reports = ({ reports }: { readonly reports: readonly SpotReport[] }) => (
  <Part title={plain(`${t("waiting.reports")} ${reports.length}`)}>
    <ul class="entries">
      {reports.map((report) => (
        <Report key={report.id} report={report} />
      ))}
    </ul>
  </Part>
);

function Report({ report }: { readonly report: SpotReport }) {
  const people = usePeople();
  const action = useAction();
  const { id, spot, vehicle, note, createdAt, reporterId } = report;
  const name = spot.spotNumber;
  const reporter = describePerson(people, reporterId);
  const resolve = async () => {
    await put(`/admin/spot-reports/${id}`, { is_resolved: true });
    changed("spotReports");
    toast(t("waiting.resolved", { name }));
  };
  return (
    <li class="entry-row">
      <div class="about">
        <p>
          <strong>{plain(name)}</strong>
          {vehicle !== null && <span class="badge">{plain(vehicle)}</span>}
        </p>
        {note !== null && <p>{plain(note)}</p>}
        <p class="quiet small">
          {t("waiting.reportedBy", { reporter, when: formatted("moment", createdAt) })}
        </p>
        <Refusal action={action} />
      </div>
      <div class="actions">
        <button
          type="button"
          aria-label={t("waiting.resolveOne", { name })}
          aria-disabled={action.busy}
          onClick={() => action.run(resolve)}
        >
          {t("waiting.resolve")}
        </button>
      </div>
    </li>
  );
}
