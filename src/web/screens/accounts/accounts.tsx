import { allProfiles } from "../../api/administration.ts";
import { person } from "../../api/person.ts";
import { useReading } from "../../api/reading.ts";
import type { Profile } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { BulkBar } from "../../parts/administration/bulk-bar.tsx";
import { nameOf } from "../../parts/administration/people.ts";
import { Search } from "../../parts/administration/search.tsx";
import { useSelection } from "../../parts/administration/selection.ts";
import { Choice } from "../../parts/choice.tsx";
import { Empty, whenRead } from "../../parts/states.tsx";
import { updateQuery, useRoute } from "../../routing.ts";
import { useStore } from "../../store.ts";
import { AccountDialog } from "./dialog.tsx";
import { AccountEntry, approval } from "./entry.tsx";
import { countOf, groups, isWaiting, shownOf } from "./groups.ts";
import { RejectDialog } from "./reject.tsx";

/** Everybody who has registered. People who wait for approval come first. */
export function Accounts() {
  return whenRead(useReading(allProfiles), (profiles) => <List profiles={profiles} />);
}

function List({ profiles }: { readonly profiles: readonly Profile[] }) {
  const { query } = useRoute();
  const shown = shownOf(profiles, query.show, query.search);
  const isByGroups = useStore(person)?.profile?.is_approved_by_groups === true;
  const selection = useSelection(isByGroups ? [] : shown.filter(isWaiting));
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
          act={() => selection.change(selection.chosen, approval)}
        />
      )}
      {shown.length === 0 ? (
        <Empty title={t("admin.none")} text={t("admin.noneText")} />
      ) : (
        <ul class="entries">
          {shown.map((profile) => (
            <AccountEntry
              key={profile.id}
              profile={profile}
              selection={selection}
              canApprove={!isByGroups}
            />
          ))}
        </ul>
      )}
      <AccountDialog profiles={profiles} />
      <RejectDialog profiles={profiles} />
    </div>
  );
}
