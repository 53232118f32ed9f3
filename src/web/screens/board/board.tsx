import { addresses } from "../../../addresses.ts";
import { person } from "../../api/person.ts";
import { t } from "../../messages/translate.ts";
import { Empty, whenRead } from "../../parts/states.tsx";
import { hrefOf, navigate } from "../../routing.ts";
import { useStore } from "../../store.ts";
import { useNow } from "../../time/clock.ts";
import { dateOf, timeZone } from "../../time/zone.ts";
import { openClaimForm } from "../claim/make.ts";
import { Controls } from "./controls.tsx";
import { Grid } from "./grid.tsx";
import { isClaimable, type Row, type Slot, useRows } from "./rows.ts";
import { Legend } from "./slot.tsx";
import { BoardTable } from "./table.tsx";
import { useView, type View } from "./view.ts";

/** Shows when spots are free: all spots, over a day or several. */
export function Board() {
  const now = useNow();
  const view = useView(now);
  const { profile } = useStore(person) ?? {};
  const { spots, shown, error } = useRows(view, { personId: profile?.id ?? "" }, now);
  return (
    <div class="stack">
      <Controls view={view} today={dateOf(now, timeZone())} spots={spots ?? []} />
      {whenRead({ ...(shown && { value: shown }), error }, (rows) => (
        <Shown rows={rows} view={view} now={now} hasSpots={spots?.length !== 0} />
      ))}
    </div>
  );
}

interface ShownProperties {
  readonly rows: readonly Row[];
  readonly view: View;
  readonly now: number;
  readonly hasSpots: boolean;
}

function Shown({ rows, view, now, hasSpots }: ShownProperties) {
  if (!hasSpots) return <Empty title="board.empty" text="board.emptyText" />;
  if (rows.length === 0) return <Empty title="board.noneFree" />;
  if (view.asTable) {
    return (
      <BoardTable
        caption={t("screen.board")}
        rows={rows}
        act={t("claim.claim")}
        actOn={(bar) => t("claim.claimOne", bar)}
        can={isClaimable}
        open={openSlot}
      />
    );
  }
  return (
    <div class="stack">
      <Grid rows={rows} view={view} now={now} open={openSlot} />
      <Legend states={["free", "taken", "yours", "shared", "lent", "kept"]} />
    </div>
  );
}

function openSlot(slot: Slot, from?: number, until?: number): void {
  if (slot.state === "free") openClaimForm(slot.window.id, from ?? slot.start, until);
  else if (slot.state === "yours") navigate(hrefOf(addresses.claims, { claim: slot.claim?.id }));
  else navigate(hrefOf(addresses.spots, { spot: slot.spot.id }));
}
