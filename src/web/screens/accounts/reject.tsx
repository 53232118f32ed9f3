import { put } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import type { Profile } from "../../api/resources.ts";
import { t } from "../../messages/translate.ts";
import { ReasonForm } from "../../parts/administration/dialog-content.tsx";
import { nameOf } from "../../parts/administration/people.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { toast } from "../../parts/toasts.tsx";
import { closing, useRoute } from "../../routing.ts";

/** Asks why an account is not approved. The person reads the reason. */
export function RejectDialog({ profiles }: { readonly profiles: readonly Profile[] }) {
  const { reject } = useRoute().query;
  if (!reject) return null;
  const profile = profiles.find(({ id }) => id === reject);
  if (profile === undefined) return null;
  const name = nameOf(profile);
  const close = closing("reject");
  return (
    <Dialog key={reject} title={t("accounts.rejectOne", { name })} close={close}>
      <ReasonForm
        text={t("accounts.rejectText")}
        button={t("accounts.rejectNow")}
        act={async (reason) => {
          await rejectAccount(profile, reason);
          close();
        }}
      />
    </Dialog>
  );
}

/** Also withdraws an approval. */
export async function rejectAccount(profile: Profile, reason: string): Promise<void> {
  const { id, is_approved } = profile;
  await put(`/admin/profiles/${id}`, {
    ...(is_approved && { is_approved: false }),
    rejection_reason: reason,
  });
  changed("profiles", "availabilities");
  toast(t("accounts.wasRejected", { name: nameOf(profile) }));
}
