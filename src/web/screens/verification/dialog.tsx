import { put, remove } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import type { Spot } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { Facts, FoldedReason, RowDialog } from "../../parts/administration/dialog.tsx";
import { describePerson, emailOf, type People } from "../../parts/administration/people.ts";
import { ActionButton, Actions } from "../../parts/form.tsx";
import { toast } from "../../parts/toasts.tsx";

interface VerificationDialogProperties {
  readonly spots: readonly Spot[];
  readonly people: People;
}

export const VerificationDialog = ({ spots, people }: VerificationDialogProperties) => (
  <RowDialog
    name="spot"
    rows={spots}
    title="screen.verification"
    titleOf={({ spot_number }) => plain(spot_number)}
  >
    {(spot, close) => {
      const owner = people.get(spot.owner_id);
      return (
        <div class="stack">
          <Facts
            entries={[
              [t("board.section"), plain(spot.building_section)],
              [t("verification.owner"), plain(describePerson(people, spot.owner_id))],
              [t("people.email"), owner && emailOf(owner)],
              [t("profile.phone"), owner?.phone_number && plain(owner.phone_number)],
            ]}
          />
          <Verify spot={spot} close={close} />
          <FoldedReason
            title="verification.remove"
            text="verification.removeText"
            button="spots.removeNow"
            act={async (reason) => {
              await remove(`/admin/parking-spots/${spot.id}`, { reason });
              changed("spots", "availabilities");
              toast(t("verification.removed", { spot: spot.spot_number }));
            }}
            close={close}
          />
        </div>
      );
    }}
  </RowDialog>
);

function Verify({ spot, close }: { readonly spot: Spot; readonly close: () => void }) {
  const is_verified = !spot.is_verified;
  const save = async () => {
    await put(`/admin/parking-spots/${spot.id}`, { is_verified });
    changed("spots");
    const taken = t("verification.takenBack", { spot: spot.spot_number });
    toast(is_verified ? t("verification.done", { count: 1 }) : taken);
    close();
  };
  return (
    <Actions>
      <ActionButton
        act={save}
        class={is_verified ? "main-action" : undefined}
        text={is_verified ? "verification.verify" : "verification.takeBack"}
      />
    </Actions>
  );
}
