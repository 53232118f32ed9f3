import { allProfiles } from "../../api/lists.ts";
import { useReading } from "../../api/reading.ts";
import { isErased, type Profile } from "../../api/resources.ts";
import { type Group, List } from "../../parts/administration/list.tsx";
import { whenRead } from "../../parts/states.tsx";
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
  const note = useNote();
  return whenRead(useReading(allProfiles), (profiles) => (
    <div class="stack">
      <List
        kind={accounts}
        groups={groups}
        rows={profiles.toSorted(byWaiting)}
        hint="accounts.searchHint"
        textsOf={({ full_name, apartment_number, email }) => [full_name, apartment_number, email]}
        note={note}
      />
      <AccountDialogs profiles={profiles} />
    </div>
  ));
}
