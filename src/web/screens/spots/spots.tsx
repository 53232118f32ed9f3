import { addresses } from "../../../addresses.ts";
import { usePersonId } from "../../api/person.ts";
import { t } from "../../messages/translate.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icons.tsx";
import { Link } from "../../parts/link.tsx";
import { Empty, whenRead } from "../../parts/states.tsx";
import { closing, updateQuery, useRoute } from "../../routing.ts";
import { useNow } from "../../time/clock.ts";
import { dateOf, isDate, timeZone } from "../../time/zone.ts";
import { Card } from "./card.tsx";
import { SharingDialogs } from "./dialogs.tsx";
import { Exceptions } from "./exceptions.tsx";
import { type OwnSpot, useOwnSpots } from "./own-spots.ts";
import { SpotDialog } from "./spot-form.tsx";
import { mondayOf } from "./week.ts";
import { WeekChoice } from "./week.tsx";
import { WeeklyForm } from "./weekly.tsx";
import { WindowDialog } from "./window.tsx";

export function Spots() {
  const now = useNow();
  const owned = useOwnSpots(usePersonId(), now);
  const { week = "" } = useRoute().query;
  const first = mondayOf(dateOf(now, timeZone()));
  const monday = isDate(week) ? mondayOf(week) : weekOfNext(owned.value ?? [], now);
  const register = (
    <button type="button" onClick={() => updateQuery({ register: "yes" })}>
      <Icon name="add" />
      {t("spots.register")}
    </button>
  );
  return (
    <div class="stack">
      {whenRead(owned, (spots) =>
        spots.length === 0 ? (
          <Empty title="spots.none" text="spots.noneText" actions={register} />
        ) : (
          <>
            <WeekChoice monday={monday} first={first} />
            <ul class="stack">
              {spots.map((own) => (
                <Card key={own.spot.id} own={own} monday={monday} now={now} />
              ))}
            </ul>
            <Exceptions spots={spots} now={now} />
            <div class="actions no-print">
              {register}
              <Link href={addresses.signs} class="button">
                {t("spots.signs")}
              </Link>
            </div>
          </>
        ),
      )}
      <Dialogs spots={owned.value ?? []} />
    </div>
  );
}

function weekOfNext(spots: readonly OwnSpot[], now: number): string {
  const starts = spots.flatMap(({ parts }) => parts.map(({ start }) => start));
  const next = Math.max(now, starts.length > 0 ? Math.min(...starts) : now);
  return mondayOf(dateOf(next, timeZone()));
}

/** The open dialog is in the address, so going back closes it. */
function Dialogs({ spots }: { readonly spots: readonly OwnSpot[] }) {
  const { query } = useRoute();
  const editing = spots.find(({ spot }) => spot.id === query.edit);
  const parts = spots
    .flatMap((own) => own.parts)
    .filter(({ window }) => window.id === query.change);
  const pattern = spots.flatMap(({ patterns }) => patterns).find(({ id }) => id === query.pattern);
  return (
    <div>
      {query.register !== undefined && <SpotDialog close={closing("register")} />}
      {editing && <SpotDialog spot={editing.spot} close={closing("edit")} />}
      <SharingDialogs spots={spots} />
      {parts[0] && (
        <WindowDialog window={parts[0].window} parts={parts} close={closing("change")} />
      )}
      {pattern && (
        <Dialog title={t("pattern.title")} close={closing("pattern")}>
          <WeeklyForm spotId={pattern.spot_id} pattern={pattern} close={closing("pattern")} />
        </Dialog>
      )}
    </div>
  );
}
