import { post, put, remove } from "../../api/client.ts";
import { allProfiles } from "../../api/lists.ts";
import { keepProfile, person } from "../../api/person.ts";
import { useReading } from "../../api/reading.ts";
import { isErased, type Profile } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { Facts, FoldedReason, ReasonForm, RowDialog } from "../../parts/administration/dialog.tsx";
import { type Group, type Kind, List } from "../../parts/administration/list.tsx";
import { nameOf } from "../../parts/administration/people.ts";
import { undoable } from "../../parts/administration/selection.ts";
import { Check, TextField } from "../../parts/fields.tsx";
import { ActionForm, useClose } from "../../parts/form.tsx";
import { byNumber } from "../../parts/sections.tsx";
import { whenRead } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { updateQuery } from "../../routing.ts";
import { settings } from "../../settings.ts";
import { useStore } from "../../store.ts";
import { formatted } from "../../time/format.ts";

const isRejected = ({ rejection_reason }: Profile): boolean => rejection_reason !== undefined;

export const isWaiting = (profile: Profile): boolean =>
  !profile.is_approved && !profile.is_suspended && !isRejected(profile) && !isErased(profile);

const groups: readonly Group<Profile>[] = [
  { name: "", title: "admin.all", has: (profile) => !isErased(profile) },
  { name: "waiting", title: "accounts.waiting", has: isWaiting },
  { name: "approved", title: "accounts.approved", has: ({ is_approved }) => is_approved },
  { name: "administrators", title: "accounts.administrators", has: ({ is_admin }) => is_admin },
  {
    name: "concierges",
    title: "accounts.concierges",
    has: ({ is_concierge }) => is_concierge === true,
  },
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
      {profile.is_concierge && <span class="badge accent">{t("account.concierge")}</span>}
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

/** One account with its data, its rights and its erasure, and the question why it is rejected. */
export const AccountDialogs = ({ profiles }: { readonly profiles: readonly Profile[] }) => (
  <>
    <RowDialog
      name="account"
      rows={profiles}
      title="screen.accounts"
      titleOf={(profile) => plain(nameOf(profile))}
    >
      {(profile) => <Account profile={profile} />}
    </RowDialog>
    <RowDialog
      name="reject"
      rows={profiles}
      title="screen.accounts"
      titleOf={(profile) => t("accounts.rejectOne", { name: nameOf(profile) })}
    >
      {(profile) => (
        <ReasonForm
          text="accounts.rejectText"
          button="accounts.rejectNow"
          act={(reason) => reject(profile, reason)}
        />
      )}
    </RowDialog>
  </>
);

/** Also withdraws an approval. The person reads the reason. */
async function reject(profile: Profile, reason: string): Promise<void> {
  const { id, is_approved } = profile;
  await put(`/admin/profiles/${id}`, {
    ...(is_approved && { is_approved: false }),
    rejection_reason: reason,
  });
  toast(t("accounts.wasRejected", { name: nameOf(profile) }));
}

/** For a person who lost the mailbox. */
async function giveAddress({ id }: Profile, email: string, reason: string): Promise<void> {
  await post(`/admin/profiles/${id}/address`, { email, reason });
  toast(t("accounts.addressGiven"));
}

async function erase({ id }: Profile, reason: string): Promise<void> {
  await remove(`/admin/profiles/${id}`, { reason });
  toast(t("accounts.wasErased"));
}

function Account({ profile }: { readonly profile: Profile }) {
  if (isErased(profile)) return <p>{t("accounts.isErased")}</p>;
  return (
    <div class="stack">
      <Facts
        entries={[
          [t("profile.apartment"), plain(profile.apartment_number)],
          [t("people.email"), plain(profile.email)],
          [t("profile.phone"), profile.phone_number && plain(profile.phone_number)],
          [t("accounts.registered"), formatted("date", profile.created_at)],
          [t("accounts.rejected"), plain(profile.rejection_reason ?? "")],
        ]}
      />
      <Rights profile={profile} />
      {profile.is_approved && (
        <FoldedReason
          title="accounts.withdraw"
          text="accounts.withdrawText"
          button="accounts.withdraw"
          act={(reason) => reject(profile, reason)}
        />
      )}
      {settings.signIn === "mail" && (
        <FoldedReason
          title="accounts.address"
          text="accounts.addressText"
          button="accounts.addressNow"
          act={(reason, { email = "" }) => giveAddress(profile, email, reason)}
        >
          <TextField
            name="email"
            label="accounts.newAddress"
            type="email"
            autocomplete="off"
            required
          />
        </FoldedReason>
      )}
      <FoldedReason
        title="accounts.erase"
        text="accounts.eraseText"
        button="accounts.eraseNow"
        act={(reason) => erase(profile, reason)}
      />
    </div>
  );
}

function Rights({ profile }: { readonly profile: Profile }) {
  const close = useClose();
  // The reader has just opened the page, so their own profile tells who decides now.
  const own = useStore(person)?.profile;
  const rights = [
    ["is_approved", "accounts.isApproved", own?.is_approved_by_groups],
    ["is_admin", "accounts.isAdmin", own?.is_admin_by_groups],
    ["is_concierge", "accounts.isConcierge", own?.is_concierge_by_groups],
  ] as const;
  const open = rights.filter(([, , isByGroups]) => !isByGroups);
  const save = async (form: HTMLFormElement) => {
    const typed = new FormData(form);
    const answer = await put<{ readonly profile: Profile }>(
      `/admin/profiles/${profile.id}`,
      Object.fromEntries(open.map(([name]) => [name, typed.has(name)])),
    );
    if (profile.id === own?.id) keepProfile(answer.profile);
    toast(t("accounts.saved", { name: nameOf(profile) }));
    close();
  };
  return (
    <ActionForm
      aria-label={t("accounts.rights")}
      act={save}
      submit={open.length > 0 ? "app.save" : undefined}
    >
      <div>
        {rights.map(([name, text, isByGroups]) => (
          <Check key={name} name={name} checked={profile[name] === true} disabled={isByGroups}>
            {t(text)}
          </Check>
        ))}
      </div>
      {open.length < rights.length && <p class="quiet small">{t("accounts.byGroups")}</p>}
    </ActionForm>
  );
}
