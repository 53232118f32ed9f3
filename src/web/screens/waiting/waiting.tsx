import { addresses } from "../../../addresses.ts";
import { useIsNew } from "../../api/building.ts";
import { queryGraphQL } from "../../api/client.ts";
import { allProfiles, allSpots } from "../../api/lists.ts";
import { type Source, together, useReading } from "../../api/reading.ts";
import { waitingTopics } from "../../api/waiting.ts";
import type { Child } from "../../jsx.ts";
import type { MessageKey } from "../../messages/en.ts";
import { plain, t } from "../../messages/translate.ts";
import { Rows } from "../../parts/administration/list.tsx";
import { describePerson, peopleOf } from "../../parts/administration/people.ts";
import { openReports, Reports } from "../../parts/administration/reports.tsx";
import { Link } from "../../parts/controls.tsx";
import { bySection } from "../../parts/sections.tsx";
import { Empty, whenRead } from "../../parts/states.tsx";
import { now } from "../../time/now.ts";
import { iso } from "../../time/zone.ts";
import { AccountDialogs, accounts, byWaiting, isWaiting, useNote } from "../accounts/accounts.tsx";
import { spotsOf, VerificationDialog } from "../verification/verification.tsx";

export function Waiting() {
  const note = useNote();
  const isNew = useIsNew();
  const all = together({
    profiles: useReading(allProfiles),
    spots: useReading(allSpots),
    matters: useReading(waitingMatters),
    reports: useReading(openReports),
  });
  return whenRead(all, ({ profiles, spots, matters, reports }) => {
    const people = peopleOf(profiles);
    const waiting = profiles.filter(isWaiting).toSorted(byWaiting);
    const unverified = spots.filter(({ is_verified }) => !is_verified).toSorted(bySection);
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
        {isNew && <NewBuilding />}
        {!isNew && waiting.length + unverified.length + reports.length === 0 && (
          <Empty title="waiting.none" text="waiting.noneText" />
        )}
        {part("screen.accounts", waiting, <Rows kind={accounts} rows={waiting} note={note} />)}
        {part(
          "waiting.reports",
          reports,
          <Reports
            reports={reports}
            reporterOf={({ reporter_id }) => describePerson(people, reporter_id)}
          />,
        )}
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

const NewBuilding = () => (
  <Empty
    title="waiting.new"
    text="waiting.newText"
    actions={<Link href={addresses.building} class="button main-action" text="screen.building" />}
  />
);

interface Matters {
  readonly spots: {
    readonly nodes: readonly {
      readonly id: string;
      readonly claims: { readonly totalCount: number };
    }[];
  };
}

const matters = `query ($now: Datetime!) {
  spots(condition: { isVerified: false }, first: 200) {
    nodes { id claims(condition: { status: "active", overlapsStart: $now }) { totalCount } }
  }
}`;

/** Claims of spots that nobody has verified. */
const waitingMatters: Source<Matters> = {
  key: "waiting matters",
  topics: [...waitingTopics, "claims"],
  read: () => queryGraphQL<Matters>(matters, { now: iso(now()) }),
};
