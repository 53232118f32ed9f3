import { put } from "../../api/client.ts";
import { person } from "../../api/person.ts";
import { isErased, type Profile } from "../../api/resources.ts";
import { t } from "../../messages/translate.ts";
import { byNumber, type Kind } from "../../parts/administration/list.tsx";
import { nameOf } from "../../parts/administration/people.ts";
import { undoable } from "../../parts/administration/selection.ts";
import { updateQuery } from "../../routing.ts";
import { useStore } from "../../store.ts";
import { formatted } from "../../time/format.ts";

export const isRejected = ({ rejection_reason }: Profile): boolean =>
  rejection_reason !== undefined;

export const isWaiting = (profile: Profile): boolean =>
  !profile.is_approved && !profile.is_suspended && !isRejected(profile) && !isErased(profile);

/** The person who has waited longest comes first. The others are sorted by apartment. */
export function byWaiting(a: Profile, b: Profile): number {
  if (isWaiting(a) !== isWaiting(b)) return isWaiting(a) ? -1 : 1;
  const order = isWaiting(a) ? 0 : byNumber(a.apartment_number, b.apartment_number);
  return order || a.created_at.localeCompare(b.created_at);
}

/** If groups of the identity provider decide, administrators approve nobody here. */
export const useNote = () =>
  useStore(person)?.profile?.is_approved_by_groups === true && t("accounts.byGroups");

const approval = undoable<Profile>(
  "profiles",
  "accounts.done",
  ({ id }) => put(`/admin/profiles/${id}`, { is_approved: true }),
  // An approval by mistake suspends nobody.
  ({ id }) => put(`/admin/profiles/${id}`, { is_approved: false, is_suspended: false }),
);

/** People who wait can be approved or rejected in the list. */
export const accounts: Kind<Profile> = {
  nameOf,
  badges: (profile) => (
    <>
      {isWaiting(profile) && <span class="badge attention">{t("account.waiting")}</span>}
      {isRejected(profile) && <span class="badge">{t("accounts.rejected")}</span>}
      {profile.is_admin && <span class="badge accent">{t("account.administrator")}</span>}
    </>
  ),
  about: (profile) => [
    ...(isErased(profile)
      ? []
      : [t("account.apartment", { number: profile.apartment_number }), profile.email]),
    t("accounts.since", { date: formatted("date", profile.created_at) }),
  ],
  waits: isWaiting,
  action: { name: "accounts.approve", label: "accounts.approveOne", run: approval },
  other: {
    name: "accounts.reject",
    label: "accounts.rejectOne",
    run: ({ id }) => updateQuery({ reject: id }),
  },
  manage: ({ id }) => updateQuery({ account: id }),
};
