import { allProfiles, spotsToCheck } from "../../api/administration.ts";
import { person } from "../../api/person.ts";
import { useReading } from "../../api/reading.ts";
import type { Profile, Spot } from "../../api/resources.ts";
import { waitingMatters } from "../../api/waiting.ts";
import { plain, t } from "../../messages/translate.ts";
import { BulkBar } from "../../parts/administration/bulk-bar.tsx";
import { describePerson, nameOf, usePeople } from "../../parts/administration/people.ts";
import { useSelection } from "../../parts/administration/selection.ts";
import { Empty, whenRead } from "../../parts/states.tsx";
import { useStore } from "../../store.ts";
import { AccountDialog } from "../accounts/dialog.tsx";
import { AccountEntry, approval } from "../accounts/entry.tsx";
import { shownOf } from "../accounts/groups.ts";
import { RejectDialog } from "../accounts/reject.tsx";
import { VerificationDialog } from "../verification/dialog.tsx";
import { bySection, SpotEntry, verification } from "../verification/entry.tsx";
import { Part } from "./part.tsx";
import { Reports } from "./reports.tsx";

/** Everything that waits for an administrator: people, cars and spots. */
export function Waiting() {
  const profiles = useReading(allProfiles);
  const spots = useReading(spotsToCheck);
  const matters = useReading(waitingMatters);
  const all =
    profiles.value && spots.value && matters.value
      ? { value: { profiles: profiles.value, spots: spots.value, matters: matters.value } }
      : { error: profiles.error ?? spots.error ?? matters.error };
  return whenRead(all, ({ profiles, spots, matters }) => {
    const accounts = shownOf(profiles, "waiting");
    const unverified = spots.filter(({ is_verified }) => !is_verified).toSorted(bySection);
    const reports = matters.spotReports.nodes;
    const claims = new Map(matters.spots.nodes.map((it) => [it.id, it.claims.totalCount]));
    const isDone = accounts.length + unverified.length + reports.length === 0;
    return (
      <div class="stack">
        {isDone && <Empty title={t("waiting.none")} text={t("waiting.noneText")} />}
        {accounts.length > 0 && <Accounts accounts={accounts} />}
        {reports.length > 0 && <Reports reports={reports} />}
        {unverified.length > 0 && <Spots spots={unverified} claims={claims} />}
        <AccountDialog profiles={profiles} />
        <RejectDialog profiles={profiles} />
        <VerificationDialog spots={spots} people={new Map(profiles.map((it) => [it.id, it]))} />
      </div>
    );
  });
}

function Accounts({ accounts }: { readonly accounts: readonly Profile[] }) {
  const isByGroups = useStore(person)?.profile?.is_approved_by_groups === true;
  const selection = useSelection(isByGroups ? [] : accounts);
  return (
    <Part title={plain(`${t("waiting.accounts")} ${accounts.length}`)}>
      {isByGroups ? (
        <p class="quiet">{t("accounts.byGroups")}</p>
      ) : (
        <BulkBar
          selection={selection}
          nameOf={nameOf}
          action={t("accounts.approve")}
          act={() => selection.change(selection.chosen, approval)}
        />
      )}
      <ul class="entries">
        {accounts.map((profile) => (
          <AccountEntry
            key={profile.id}
            profile={profile}
            selection={selection}
            canApprove={!isByGroups}
          />
        ))}
      </ul>
    </Part>
  );
}

interface SpotsProperties {
  readonly spots: readonly Spot[];
  readonly claims: ReadonlyMap<string, number>;
}

function Spots({ spots, claims }: SpotsProperties) {
  const people = usePeople();
  const selection = useSelection(spots);
  return (
    <Part title={plain(`${t("screen.verification")} ${spots.length}`)}>
      <BulkBar
        selection={selection}
        nameOf={({ spot_number }) => spot_number}
        action={t("verification.verify")}
        act={() => selection.change(selection.chosen, verification)}
      />
      <ul class="entries">
        {spots.map((spot) => (
          <SpotEntry
            key={spot.id}
            spot={spot}
            owner={describePerson(people, spot.owner_id)}
            selection={selection}
            claims={claims.get(spot.id) ?? 0}
          />
        ))}
      </ul>
    </Part>
  );
}
