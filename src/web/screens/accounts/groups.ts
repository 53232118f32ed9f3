import { isErased, type Profile } from "../../api/resources.ts";
import type { MessageKey } from "../../messages/en.ts";
import { byNumber, matches } from "../../parts/administration/search.tsx";

interface Group {
  /** The name in the address. */
  readonly name: string;
  readonly title: MessageKey;
  readonly has: (profile: Profile) => boolean;
}

export const isRejected = ({ rejection_reason }: Profile): boolean =>
  rejection_reason !== undefined;

export const isWaiting = (profile: Profile): boolean =>
  !profile.is_approved && !profile.is_suspended && !isRejected(profile) && !isErased(profile);

export const groups: readonly Group[] = [
  { name: "", title: "admin.all", has: (profile) => !isErased(profile) },
  { name: "waiting", title: "accounts.waiting", has: isWaiting },
  { name: "approved", title: "accounts.approved", has: ({ is_approved }) => is_approved },
  { name: "administrators", title: "accounts.administrators", has: ({ is_admin }) => is_admin },
  { name: "rejected", title: "accounts.rejected", has: isRejected },
  { name: "erased", title: "accounts.erased", has: isErased },
];

const inGroup = (profiles: readonly Profile[], name: string): readonly Profile[] =>
  profiles.filter((groups.find((group) => group.name === name) ?? groups[0])?.has ?? (() => true));

export const countOf = (profiles: readonly Profile[], name: string): number =>
  inGroup(profiles, name).length;

/** The person who has waited longest comes first. The others are sorted by apartment. */
export const shownOf = (
  profiles: readonly Profile[],
  group = "",
  search = "",
): readonly Profile[] =>
  inGroup(profiles, group)
    .filter((it) => matches(search, it.full_name, it.apartment_number, it.email))
    .toSorted(byWaiting);

function byWaiting(a: Profile, b: Profile): number {
  if (isWaiting(a) !== isWaiting(b)) return isWaiting(a) ? -1 : 1;
  const order = isWaiting(a) ? 0 : byNumber(a.apartment_number, b.apartment_number);
  return order || a.created_at.localeCompare(b.created_at);
}
