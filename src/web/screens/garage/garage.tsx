import { useCallback } from "preact/hooks";
import { person } from "../../api/person.ts";
import type { Claim } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { describePerson, usePeople } from "../../parts/administration/people.ts";
import { Choice } from "../../parts/controls.tsx";
import { updateQuery, useRoute } from "../../routing.ts";
import { useStore } from "../../store.ts";
import { useNow } from "../../time/clock.ts";
import { Bookings } from "../board/bookings.tsx";
import { isOpenable, useRows } from "../board/rows.ts";
import { useView } from "../board/view.ts";
import { idOf, SlotDialog } from "./dialog.tsx";
import { Gate } from "./gate.tsx";

/** For people at the gate: who may park now. For administrators: the board with all claims. */
export function Garage() {
  const isGate = useRoute().query.gate === "yes";
  if (useStore(person)?.profile?.is_admin !== true) return <Gate />;
  return (
    <div class="stack">
      <div class="beside head-row no-print">
        <Choice
          label="admin.show"
          value={isGate}
          options={[
            [false, t("garage.board")],
            [true, t("garage.gate")],
          ]}
          choose={(gate) => updateQuery({ gate: gate ? "yes" : undefined })}
        />
      </div>
      {isGate ? <Gate /> : <AllBookings />}
    </div>
  );
}

function AllBookings() {
  const now = useNow();
  const view = useView(now);
  const people = usePeople();
  const holderOf = useCallback(
    ({ claimer_id }: Claim) => plain(describePerson(people, claimer_id)),
    [people],
  );
  // Without a person, so that the administrator's own spots look like those of others.
  const read = useRows(view, { personId: "", holderOf }, now);
  return (
    <div class="stack">
      <p class="quiet">{t("garage.intro")}</p>
      <Bookings
        title="screen.garage"
        read={read}
        view={view}
        now={now}
        states={["free", "taken", "kept"]}
        people={{
          owner: "verification.owner",
          ownerOf: ({ owner_id }) => plain(describePerson(people, owner_id)),
          holder: "garage.claimer",
        }}
        act="inbox.open"
        actOn="garage.openOne"
        can={isOpenable}
        open={(slot) => updateQuery({ slot: idOf(slot) })}
      />
      {(read.all || !read.error) && <SlotDialog rows={read.all} people={people} now={now} />}
    </div>
  );
}
