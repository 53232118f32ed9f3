import { put, remove } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import type { Claim, Profile } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { Facts, ReasonForm } from "../../parts/administration/dialog-content.tsx";
import { describePerson, emailOf } from "../../parts/administration/people.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Loading } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { closing, useRoute } from "../../routing.ts";
import { formatSpan } from "../../time/format.ts";
import type { Row, Slot } from "../board/slots.ts";

type People = ReadonlyMap<string, Profile>;

interface SlotDialogProperties {
  /** Undefined while the rows are read. */
  readonly rows: readonly Row[] | undefined;
  readonly people: People;
  readonly now: number;
}

/** The claims of a window, which an administrator can cancel for the people. */
export function SlotDialog({ rows, people, now }: SlotDialogProperties) {
  const { slot: id } = useRoute().query;
  if (!id) return null;
  const slots = rows?.flatMap((row) => row.slots);
  const slot = slots?.find(({ claim, window }) => (claim?.id ?? window.id) === id);
  return (
    <Dialog
      key={id}
      title={slot === undefined ? t("screen.garage") : plain(slot.spot.spot_number)}
      close={closing("slot")}
    >
      {rows === undefined && <Loading />}
      {rows && (slot ? content(slot, people, now) : <p>{t("admin.gone")}</p>)}
    </Dialog>
  );
}

function content(slot: Slot, people: People, now: number) {
  const { spot, window, claim } = slot;
  const claimer = claim && people.get(claim.claimer_id);
  const close = closing("slot");
  return (
    <div class="stack">
      <Facts
        entries={[
          [t("board.section"), plain(spot.building_section)],
          [t("verification.owner"), plain(describePerson(people, spot.owner_id))],
          [t("board.time"), formatSpan(window.start_time, window.end_time)],
          [t("garage.claimer"), slot.holder],
          [t("accounts.email"), claimer && emailOf(claimer)],
          [t("profile.phone"), claimer?.phone_number && plain(claimer.phone_number)],
          [t("parking.vehicle"), claim?.vehicle && plain(claim.vehicle)],
          [t("parking.guest"), claim?.guest && plain(claim.guest)],
          [t("garage.status"), claim && formatSpan(claim.start_time, claim.end_time)],
          [t("board.state"), claim && statusOf(claim)],
        ]}
      />
      {claim && isCancellable(claim) && <ReasonForm {...cancelling(slot, claim, close)} />}
      {claim === undefined && slot.end > now && <ReasonForm {...withdrawing(slot, close)} />}
    </div>
  );
}

const statusOf = ({ status }: Claim) =>
  t(status === "active" ? "garage.active" : "garage.completed");

/** A claim keeps its window until somebody cancels it, even if it was completed early. */
const isCancellable = ({ status, updated_at, end_time }: Claim) =>
  status === "active" || (status === "completed" && Date.parse(updated_at) < Date.parse(end_time));

const cancelling = ({ spot }: Slot, { id }: Claim, close: () => void) => ({
  text: t("garage.cancelText"),
  button: t("garage.cancel"),
  async act(reason: string) {
    await put(`/admin/claims/${id}`, { status: "cancelled", reason });
    changed("claims", "availabilities");
    toast(t("garage.cancelled", { spot: spot.spot_number }));
    close();
  },
});

const withdrawing = ({ spot, window }: Slot, close: () => void) => ({
  text: t("garage.withdrawText"),
  button: t("garage.withdraw"),
  async act(reason: string) {
    await remove(`/admin/availabilities/${window.id}`, { reason });
    changed("availabilities");
    toast(t("garage.withdrawn", { spot: spot.spot_number }));
    close();
  },
});
