import { put, remove } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import type { Profile, Spot } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { Facts, ReasonForm } from "../../parts/administration/dialog-content.tsx";
import { describePerson, emailOf } from "../../parts/administration/people.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Refusal, useAction } from "../../parts/form.tsx";
import { toast } from "../../parts/toasts.tsx";
import { closing, useRoute } from "../../routing.ts";

interface VerificationDialogProperties {
  readonly spots: readonly Spot[];
  readonly people: ReadonlyMap<string, Profile>;
}

/** One spot, with its owner, its verification and its removal. */
export function VerificationDialog({ spots, people }: VerificationDialogProperties) {
  const { spot: id } = useRoute().query;
  if (!id) return null;
  const spot = spots.find((one) => one.id === id);
  return (
    <Dialog
      key={id}
      title={spot === undefined ? t("screen.verification") : plain(spot.spot_number)}
      close={closing("spot")}
    >
      {spot === undefined ? <p>{t("admin.gone")}</p> : <Content spot={spot} people={people} />}
    </Dialog>
  );
}

interface ContentProperties {
  readonly spot: Spot;
  readonly people: ReadonlyMap<string, Profile>;
}

function Content({ spot, people }: ContentProperties) {
  const owner = people.get(spot.owner_id);
  const close = closing("spot");
  return (
    <div class="stack">
      <Facts
        entries={[
          [t("board.section"), plain(spot.building_section)],
          [t("verification.owner"), plain(describePerson(people, spot.owner_id))],
          [t("accounts.email"), owner && emailOf(owner)],
          [t("profile.phone"), owner?.phone_number && plain(owner.phone_number)],
        ]}
      />
      <Verify spot={spot} />
      <details class="danger-zone">
        <summary>{t("verification.remove")}</summary>
        <ReasonForm
          text={t("verification.removeText")}
          button={t("verification.removeNow")}
          act={async (reason) => {
            await remove(`/admin/parking-spots/${spot.id}`, { reason });
            changed("spots", "availabilities");
            toast(t("verification.removed", { spot: spot.spot_number }));
            close();
          }}
        />
      </details>
    </div>
  );
}

function Verify({ spot }: { readonly spot: Spot }) {
  const action = useAction();
  const is_verified = !spot.is_verified;
  const close = closing("spot");
  const save = async () => {
    await put(`/admin/parking-spots/${spot.id}`, { is_verified });
    changed("spots");
    const taken = t("verification.takenBack", { spot: spot.spot_number });
    toast(is_verified ? t("verification.done", { count: 1 }) : taken);
    close();
  };
  return (
    <div class="stack">
      <Refusal action={action} />
      <div class="actions">
        <button
          type="button"
          class={is_verified ? "main-action" : undefined}
          aria-disabled={action.busy}
          onClick={() => action.run(save)}
        >
          {t(is_verified ? "verification.verify" : "verification.takeBack")}
        </button>
      </div>
    </div>
  );
}
