import { useCallback } from "preact/hooks";
import type { Claim } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { describePerson, usePeople } from "../../parts/administration/people.ts";
import { Choice } from "../../parts/choice.tsx";
import { Empty, whenRead } from "../../parts/states.tsx";
import { updateQuery, useRoute } from "../../routing.ts";
import { useNow } from "../../time/clock.ts";
import { dateOf, timeZone } from "../../time/zone.ts";
import { Controls } from "../board/controls.tsx";
import { Grid } from "../board/grid.tsx";
import { isOpenable, type Slot, useRows } from "../board/rows.ts";
import { Legend } from "../board/slot.tsx";
import { BoardTable } from "../board/table.tsx";
import { useView } from "../board/view.ts";
import { idOf, SlotDialog } from "./dialog.tsx";
import { Gate } from "./gate.tsx";

/** For people at the gate: who may park now. For administrators: the board with all claims. */
export function Garage() {
  const isGate = useRoute().query.gate === "yes";
  return (
    <div class="stack">
      <div class="head-row no-print">
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
      {isGate ? <Gate /> : <Bookings />}
    </div>
  );
}

function Bookings() {
  const now = useNow();
  const view = useView(now);
  const people = usePeople();
  const holderOf = useCallback(
    ({ claimer_id }: Claim) => plain(describePerson(people, claimer_id)),
    [people],
  );
  // Without a person, so that the administrator's own spots look like those of others.
  const { spots, all, shown, error } = useRows(view, { personId: "", holderOf }, now);
  return (
    <div class="stack">
      <p class="quiet">{t("garage.intro")}</p>
      <Controls view={view} today={dateOf(now, timeZone())} spots={spots ?? []} />
      {whenRead({ ...(shown && { value: shown }), error }, (rows) =>
        rows.length === 0 ? (
          <Empty title={spots?.length === 0 ? "board.empty" : "board.noneFree"} />
        ) : view.asTable ? (
          <BoardTable
            caption={t("screen.garage")}
            rows={rows}
            people={{
              owner: t("verification.owner"),
              ownerOf: ({ owner_id }) => plain(describePerson(people, owner_id)),
              holder: t("garage.claimer"),
            }}
            act={t("inbox.open")}
            actOn={(bar) => t("garage.openOne", bar)}
            can={isOpenable}
            open={open}
          />
        ) : (
          <div class="stack">
            <Grid rows={rows} view={view} now={now} open={open} />
            <Legend states={["free", "taken", "kept"]} />
          </div>
        ),
      )}
      {(all || !error) && <SlotDialog rows={all} people={people} now={now} />}
    </div>
  );
}

const open = (slot: Slot) => updateQuery({ slot: idOf(slot) });
