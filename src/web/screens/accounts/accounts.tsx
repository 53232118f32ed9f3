import { allProfiles } from "../../api/lists.ts";
import { useReading } from "../../api/reading.ts";
import { isErased, type Profile } from "../../api/resources.ts";
import {
  Filters,
  type Group,
  groupNamed,
  matches,
  Rows,
} from "../../parts/administration/list.tsx";
import { Empty, whenRead } from "../../parts/states.tsx";
import { useRoute } from "../../routing.ts";
import { AccountDialogs } from "./dialog.tsx";
import { accounts, byWaiting, isRejected, isWaiting, useNote } from "./kind.tsx";

const groups: readonly Group<Profile>[] = [
  { name: "", title: "admin.all", has: (profile) => !isErased(profile) },
  { name: "waiting", title: "accounts.waiting", has: isWaiting },
  { name: "approved", title: "accounts.approved", has: ({ is_approved }) => is_approved },
  { name: "administrators", title: "accounts.administrators", has: ({ is_admin }) => is_admin },
  { name: "rejected", title: "accounts.rejected", has: isRejected },
  { name: "erased", title: "accounts.erased", has: isErased },
];

/** Everybody who has registered. People who wait for approval come first. */
export function Accounts() {
  const { show, search = "" } = useRoute().query;
  const note = useNote();
  return whenRead(useReading(allProfiles), (profiles) => (
    <div class="stack">
      <Filters groups={groups} rows={profiles} hint="accounts.searchHint" />
      <Rows
        kind={accounts}
        note={note}
        rows={profiles
          .filter((it) => groupNamed(groups, show)?.has(it))
          .filter((it) => matches(search, it.full_name, it.apartment_number, it.email))
          .toSorted(byWaiting)}
        empty={<Empty title="admin.none" text="admin.noneText" />}
      />
      <AccountDialogs profiles={profiles} />
    </div>
  ));
}
