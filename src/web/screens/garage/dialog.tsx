import { put, remove } from "../../api/client.ts";
import type { Claim } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { Facts, ReasonForm, RowDialog } from "../../parts/administration/dialog.tsx";
import { describePerson, emailOf, type People } from "../../parts/administration/people.ts";
import { toast } from "../../parts/toasts.tsx";
import { formatSpan } from "../../time/format.ts";
import type { Row, Slot } from "../board/rows.ts";

interface SlotDialogProperties {
  readonly rows: readonly Row[] | undefined;
  readonly people: People;
  readonly now: number;
}

/** The claims of a window, which an administrator can cancel for the people. */
export const SlotDialog = ({ rows, people, now }: SlotDialogProperties) => (
  <RowDialog
    name="slot"
    rows={rows?.flatMap(({ slots }) => slots.map((slot) => ({ ...slot, id: idOf(slot) })))}
    title="screen.garage"
    titleOf={({ spot }) => plain(spot.spot_number)}
  >
    {(slot) => content(slot, people, now)}
  </RowDialog>
);

/** The id of a bar in the address: its claim, or else its window. */
export const idOf = ({ claim, window }: Slot): string => claim?.id ?? window.id;

function content(slot: Slot, people: People, now: number) {
  const { spot, window, claim } = slot;
  const claimer = claim && people.get(claim.claimer_id);
  const withdraw = async (reason: string) => {
    await remove(`/admin/availabilities/${window.id}`, { reason });
    toast(t("garage.withdrawn", { spot: spot.spot_number }));
  };
  return (
    <div class="stack">
      <Facts
        entries={[
          [t("board.section"), plain(spot.building_section)],
          [t("verification.owner"), plain(describePerson(people, spot.owner_id))],
          [t("board.time"), formatSpan(window.start_time, window.end_time)],
          [t("garage.claimer"), slot.holder],
          [t("people.email"), claimer && emailOf(claimer)],
          [t("profile.phone"), claimer?.phone_number && plain(claimer.phone_number)],
          [t("parking.vehicle"), claim?.vehicle && plain(claim.vehicle)],
          [t("parking.guest"), claim?.guest && plain(claim.guest)],
          [t("garage.status"), claim && formatSpan(claim.start_time, claim.end_time)],
          [t("board.state"), claim && statusOf(claim)],
        ]}
      />
      {claim && isCancellable(claim) && <CancelForm id={claim.id} spot={spot.spot_number} />}
      {claim === undefined && slot.end > now && (
        <ReasonForm text="garage.withdrawText" button="garage.withdraw" act={withdraw} />
      )}
    </div>
  );
}

/** Cancels a claim for the people, who read why. */
export function CancelForm({ id, spot }: { readonly id: string; readonly spot: string }) {
  const cancel = async (reason: string) => {
    await put(`/admin/claims/${id}`, { status: "cancelled", reason });
    toast(t("garage.cancelled", { spot }));
  };
  return <ReasonForm text="garage.cancelText" button="garage.cancel" act={cancel} />;
}

const statusOf = ({ status }: Claim) =>
  t(status === "active" ? "garage.active" : "claims.status.completed");

/** A claim keeps its window until somebody cancels it, even if it was completed early. */
const isCancellable = ({ status, updated_at, end_time }: Claim) =>
  status === "active" || (status === "completed" && Date.parse(updated_at) < Date.parse(end_time));
