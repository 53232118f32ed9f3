import { addresses } from "../../../addresses.ts";
import { usePersonId } from "../../api/person.ts";
import { hrefOf, navigate } from "../../routing.ts";
import { useNow } from "../../time/clock.ts";
import { openClaimForm } from "../claim/make.ts";
import { Bookings } from "./bookings.tsx";
import { isClaimable, type Slot, useRows } from "./rows.ts";
import { useView } from "./view.ts";

/** Shows when spots are free: all spots, over a day or several. */
export function Board() {
  const now = useNow();
  const view = useView(now);
  const personId = usePersonId();
  return (
    <div class="stack">
      <Bookings
        title="screen.board"
        read={useRows(view, { personId }, now)}
        view={view}
        now={now}
        states={["free", "taken", "yours", "shared", "lent", "kept"]}
        act="claim.claim"
        actOn="claim.claimOne"
        can={isClaimable}
        open={openSlot}
      />
    </div>
  );
}

function openSlot(slot: Slot, from?: number, until?: number): void {
  if (slot.state === "free") openClaimForm(slot.window.id, from ?? slot.start, until);
  else if (slot.state === "yours") navigate(hrefOf(addresses.claims, { claim: slot.claim?.id }));
  else navigate(hrefOf(addresses.spots, { spot: slot.spot.id }));
}
