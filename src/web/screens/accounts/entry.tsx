import { put } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import { isErased, type Profile } from "../../api/resources.ts";
import { t } from "../../messages/translate.ts";
import { Entry } from "../../parts/administration/entry.tsx";
import { nameOf } from "../../parts/administration/people.ts";
import type { Selection } from "../../parts/administration/selection.ts";
import { takeBack } from "../../parts/administration/take-back.ts";
import { toast } from "../../parts/toasts.tsx";
import { updateQuery } from "../../routing.ts";
import { formatted } from "../../time/format.ts";
import { isRejected, isWaiting } from "./groups.ts";

/** Undoes an approval by mistake, so nobody is suspended. */
const waiting = ({ id }: Profile) =>
  put(`/admin/profiles/${id}`, { is_approved: false, is_suspended: false });

export const approval = {
  one: ({ id }: Profile) => put(`/admin/profiles/${id}`, { is_approved: true }),
  after(profiles: readonly Profile[]) {
    changed("profiles");
    toast(t("accounts.done", { count: profiles.length }), {
      name: t("app.undo"),
      run: () => takeBack(profiles, waiting, "profiles"),
    });
  },
};

interface AccountEntryProperties {
  readonly profile: Profile;
  readonly selection: Selection<Profile>;
  /** False if groups of the identity provider decide. */
  readonly canApprove: boolean;
}

/** A row of a list of accounts. People who wait can be approved or rejected here. */
export function AccountEntry({ profile, selection, canApprove }: AccountEntryProperties) {
  const name = nameOf(profile);
  const isAsked = canApprove && isWaiting(profile);
  return (
    <Entry
      row={profile}
      name={name}
      badges={badgesOf(profile)}
      about={aboutOf(profile)}
      selection={selection}
      action={
        isAsked && {
          name: t("accounts.approve"),
          label: t("accounts.approveOne", { name }),
          run: () => selection.change([profile], approval),
        }
      }
      other={
        isAsked && {
          name: t("accounts.reject"),
          label: t("accounts.rejectOne", { name }),
          run: () => updateQuery({ reject: profile.id }),
        }
      }
      manage={() => updateQuery({ account: profile.id })}
    />
  );
}

const badgesOf = (profile: Profile) => (
  <>
    {isWaiting(profile) && <span class="badge attention">{t("account.waiting")}</span>}
    {isRejected(profile) && <span class="badge">{t("accounts.rejected")}</span>}
    {profile.is_admin && <span class="badge accent">{t("account.administrator")}</span>}
  </>
);

const aboutOf = (profile: Profile): readonly string[] => [
  ...(isErased(profile)
    ? []
    : [t("account.apartment", { number: profile.apartment_number }), profile.email]),
  t("accounts.since", { date: formatted("date", profile.created_at) }),
];
