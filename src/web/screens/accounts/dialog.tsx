import { put, remove } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import { keepProfile, person } from "../../api/person.ts";
import { isErased, type Profile } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { Facts, ReasonForm } from "../../parts/administration/dialog-content.tsx";
import { nameOf } from "../../parts/administration/people.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { FormButtons, Refusal, useAction } from "../../parts/form.tsx";
import { toast } from "../../parts/toasts.tsx";
import { closing, useRoute } from "../../routing.ts";
import { useStore } from "../../store.ts";
import { formatted } from "../../time/format.ts";
import { rejectAccount } from "./reject.tsx";

/** One account: its data, its rights, and its erasure. */
export function AccountDialog({ profiles }: { readonly profiles: readonly Profile[] }) {
  const { account } = useRoute().query;
  if (!account) return null;
  const profile = profiles.find(({ id }) => id === account);
  return (
    <Dialog
      key={account}
      title={profile === undefined ? t("screen.accounts") : plain(nameOf(profile))}
      close={closing("account")}
    >
      {profile === undefined ? <p>{t("admin.gone")}</p> : <Account profile={profile} />}
    </Dialog>
  );
}

function Account({ profile }: { readonly profile: Profile }) {
  const close = closing("account");
  if (isErased(profile)) return <p>{t("accounts.isErased")}</p>;
  return (
    <div class="stack">
      <Facts
        entries={[
          [t("profile.apartment"), plain(profile.apartment_number)],
          [t("accounts.email"), plain(profile.email)],
          [t("profile.phone"), profile.phone_number && plain(profile.phone_number)],
          [t("accounts.registered"), formatted("date", profile.created_at)],
          [t("accounts.rejected"), plain(profile.rejection_reason ?? "")],
        ]}
      />
      <Rights profile={profile} />
      {profile.is_approved && (
        <details class="danger-zone">
          <summary>{t("accounts.withdraw")}</summary>
          <ReasonForm
            text={t("accounts.withdrawText")}
            button={t("accounts.withdraw")}
            act={async (reason) => {
              await rejectAccount(profile, reason);
              close();
            }}
          />
        </details>
      )}
      <details class="danger-zone">
        <summary>{t("accounts.erase")}</summary>
        <ReasonForm
          text={t("accounts.eraseText")}
          button={t("accounts.eraseNow")}
          act={async (reason) => {
            await erase(profile, reason);
            close();
          }}
        />
      </details>
    </div>
  );
}

async function erase({ id }: Profile, reason: string): Promise<void> {
  await remove(`/admin/profiles/${id}`, { reason });
  changed("profiles", "spots", "availabilities", "claims");
  toast(t("accounts.wasErased"));
}

function Rights({ profile }: { readonly profile: Profile }) {
  const action = useAction();
  // The reader has just opened the page, so their own profile tells who decides now.
  const own = useStore(person)?.profile;
  const close = closing("account");
  const isDecided = own?.is_approved_by_groups && own.is_admin_by_groups;
  const save = async (typed: FormData) => {
    const answer = await put<{ readonly profile: Profile }>(`/admin/profiles/${profile.id}`, {
      ...(!own?.is_approved_by_groups && { is_approved: typed.has("is_approved") }),
      ...(!own?.is_admin_by_groups && { is_admin: typed.has("is_admin") }),
    });
    if (profile.id === own?.id) keepProfile(answer.profile);
    changed("profiles");
    toast(t("accounts.saved", { name: nameOf(profile) }));
    close();
  };
  const right = (name: "is_approved" | "is_admin", text: ReturnType<typeof t>) => (
    <label class="check">
      <input
        type="checkbox"
        name={name}
        defaultChecked={profile[name]}
        disabled={own?.[`${name}_by_groups`]}
      />
      {text}
    </label>
  );
  return (
    <form
      class="form"
      aria-label={t("accounts.rights")}
      onSubmit={(event) => {
        event.preventDefault();
        const typed = new FormData(event.currentTarget);
        action.run(() => save(typed));
      }}
    >
      <div>
        {right("is_approved", t("accounts.isApproved"))}
        {right("is_admin", t("accounts.isAdmin"))}
      </div>
      {(own?.is_approved_by_groups || own?.is_admin_by_groups) && (
        <p class="quiet small">{t("accounts.byGroups")}</p>
      )}
      <Refusal action={action} />
      {!isDecided && <FormButtons action={action} submit={t("app.save")} />}
    </form>
  );
}
