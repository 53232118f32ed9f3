import { put, queryGraphQL } from "../../api/client.ts";
import { allProfiles, allSpots } from "../../api/lists.ts";
import { type Source, together, useReading } from "../../api/reading.ts";
import { waitingTopics } from "../../api/waiting.ts";
import type { Child } from "../../jsx.ts";
import type { MessageKey } from "../../messages/en.ts";
import { plain, t } from "../../messages/translate.ts";
import { Entry, Rows } from "../../parts/administration/list.tsx";
import { describePerson, type People, peopleOf } from "../../parts/administration/people.ts";
import { ActionButton } from "../../parts/form.tsx";
import { Empty, whenRead } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { formatted } from "../../time/format.ts";
import { now } from "../../time/now.ts";
import { iso } from "../../time/zone.ts";
import { AccountDialogs, accounts, byWaiting, isWaiting, useNote } from "../accounts/accounts.tsx";
import { bySection, spotsOf, VerificationDialog } from "../verification/verification.tsx";

export function Waiting() {
  const note = useNote();
  const all = together({
    profiles: useReading(allProfiles),
    spots: useReading(allSpots),
    matters: useReading(waitingMatters),
  });
  return whenRead(all, ({ profiles, spots, matters }) => {
    const people = peopleOf(profiles);
    const waiting = profiles.filter(isWaiting).toSorted(byWaiting);
    const unverified = spots.filter(({ is_verified }) => !is_verified).toSorted(bySection);
    const reports = matters.spotReports.nodes;
    const claims = new Map(matters.spots.nodes.map((it) => [it.id, it.claims.totalCount]));
    const part = (title: MessageKey, { length }: readonly unknown[], content: Child) =>
      length > 0 && (
        <section class="stack">
          <h2>{plain(`${t(title)} ${length}`)}</h2>
          {content}
        </section>
      );
    return (
      <div class="stack">
        {waiting.length + unverified.length + reports.length === 0 && (
          <Empty title="waiting.none" text="waiting.noneText" />
        )}
        {part("screen.accounts", waiting, <Rows kind={accounts} rows={waiting} note={note} />)}
        {part("waiting.reports", reports, <Reports reports={reports} people={people} />)}
        {part(
          "screen.verification",
          unverified,
          <Rows kind={spotsOf(people, claims)} rows={unverified} />,
        )}
        <AccountDialogs profiles={profiles} />
        <VerificationDialog spots={spots} people={people} />
      </div>
    );
  });
}

interface ReportsProperties {
  readonly reports: readonly SpotReport[];
  readonly people: People;
}

const Reports = ({ reports, people }: ReportsProperties) => (
  <ul class="entries">
    {reports.map((report) => (
      <Report
        key={report.id}
        report={report}
        reporter={describePerson(people, report.reporter_id)}
      />
    ))}
  </ul>
);

interface ReportProperties {
  readonly report: SpotReport;
  readonly reporter: string;
}

function Report({ report: { id, spot, vehicle, note, created_at }, reporter }: ReportProperties) {
  const name = spot.spot_number;
  const resolve = async () => {
    await put(`/admin/spot-reports/${id}`, { is_resolved: true });
    toast(t("waiting.resolved", { name }));
  };
  return (
    <Entry
      name={name}
      badges={vehicle !== null && <span class="badge">{plain(vehicle)}</span>}
      about={[t("waiting.reportedBy", { reporter, when: formatted("moment", created_at) })]}
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

interface SpotReport {
  readonly id: string;
  readonly vehicle: string | null;
  readonly note: string | null;
  readonly created_at: string;
  readonly reporter_id: string;
  readonly spot: { readonly spot_number: string };
}

interface Matters {
  readonly spots: {
    readonly nodes: readonly {
      readonly id: string;
      readonly claims: { readonly totalCount: number };
    }[];
  };
  readonly spotReports: { readonly nodes: readonly SpotReport[] };
}

const matters = `query ($now: Datetime!) {
  spots(condition: { isVerified: false }, first: 200) {
    nodes { id claims(condition: { status: "active", overlapsStart: $now }) { totalCount } }
  }
  spotReports(condition: { isResolved: false }, first: 200) {
    nodes { id vehicle note created_at: createdAt reporter_id: reporterId spot { spot_number: spotNumber } }
  }
}`;

/** Claims of spots that nobody has verified, and strangers' cars. */
const waitingMatters: Source<Matters> = {
  key: "waiting matters",
  topics: [...waitingTopics, "claims"],
  read: () => queryGraphQL<Matters>(matters, { now: iso(now()) }),
};
