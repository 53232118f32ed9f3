import { allProfiles } from "../../api/administration.ts";
import { put } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import { person } from "../../api/person.ts";
import { useReading } from "../../api/reading.ts";
import { isErased, type Profile } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { BulkBar } from "../../parts/administration/bulk-bar.tsx";
import { Entry } from "../../parts/administration/entry.tsx";
import { nameOf } from "../../parts/administration/people.ts";
import { Search } from "../../parts/administration/search.tsx";
import { useSelection } from "../../parts/administration/selection.ts";
import { Choice } from "../../parts/choice.tsx";
import { Empty, whenRead } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { updateQuery, useRoute } from "../../routing.ts";
import { useStore } from "../../store.ts";
import { formatted } from "../../time/format.ts";
import { AccountDialog } from "./dialog.tsx";
import { countOf, groups, isWaiting, shownOf } from "./groups.ts";

/** Everybody who registered; who waits comes first. */
export function Accounts() {
  return whenRead(useReading(allProfiles), (profiles) => <List profiles={profiles} />);
}

function List({ profiles }: { readonly profiles: readonly Profile[] }) {
  const { query } = useRoute();
  const shown = shownOf(profiles, query.show, query.search);
  const isByGroups = useStore(person)?.profile?.is_approved_by_groups === true;
  const canApprove = (profile: Profile) => isWaiting(profile) && !isByGroups;
  const selection = useSelection(shown.filter(canApprove));
  const approve = (rows: readonly Profile[]) => selection.change(rows, approval);
  return (
    <div class="stack">
      <div class="controls no-print">
        <Choice
          label={t("admin.show")}
          value={query.show ?? ""}
          options={groups.map(
            ({ name, title }) => [name, plain(`${t(title)} ${countOf(profiles, name)}`)] as const,
          )}
          choose={(show) => updateQuery({ show })}
        />
        <Search hint={t("accounts.searchHint")} />
      </div>
      {isByGroups ? (
        <p class="quiet">{t("accounts.byGroups")}</p>
      ) : (
        <BulkBar
          selection={selection}
          nameOf={nameOf}
          action={t("accounts.approve")}
          act={() => approve(selection.chosen)}
        />
      )}
      {shown.length === 0 ? (
        <Empty title={t("admin.none")} text={t("admin.noneText")} />
      ) : (
        <ul class="entries">
          {shown.map((profile) => (
            <Entry
              key={profile.id}
              row={profile}
              name={nameOf(profile)}
              badges={badgesOf(profile)}
              about={aboutOf(profile)}
              selection={selection}
              action={
                canApprove(profile) && {
                  name: t("accounts.approve"),
                  label: t("accounts.approveOne", { name: nameOf(profile) }),
                  run: () => approve([profile]),
                }
              }
              manage={() => updateQuery({ account: profile.id })}
            />
          ))}
        </ul>
      )}
      <AccountDialog profiles={profiles} />
    </div>
  );
}

const approval = {
  one: ({ id }: Profile) => put(`/admin/profiles/${id}`, { is_approved: true }),
  after(count: number) {
    changed("profiles");
    toast(t("accounts.done", { count }));
  },
};

const badgesOf = (profile: Profile) => (
  <>
    {isWaiting(profile) && <span class="badge attention">{t("account.waiting")}</span>}
    {profile.is_admin && <span class="badge accent">{t("account.administrator")}</span>}
  </>
);

const aboutOf = (profile: Profile): readonly string[] => [
  ...(isErased(profile)
    ? []
    : [t("account.apartment", { number: profile.apartment_number }), profile.email]),
  t("accounts.since", { date: formatted("date", profile.created_at) }),
];
