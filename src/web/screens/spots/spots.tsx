import { useState } from "preact/hooks";
import { addresses } from "../../../addresses.ts";
import { get, put, remove } from "../../api/client.ts";
import type { Availability } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { ContactDetails } from "../../parts/contact.tsx";
import { AddButton, Button, Link } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ActionButton, ActionForm, useClose } from "../../parts/form.tsx";
import { spanOfRow } from "../../parts/free.ts";
import { ParkingLine } from "../../parts/parking.tsx";
import { SpanFields } from "../../parts/span-fields.tsx";
import { Empty, whenRead } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { changesOf, spanOf, typedSpan } from "../../parts/typed-span.ts";
import { type Part, stateOf } from "../../parts/window-parts.ts";
import { closing, updateQuery, useRoute } from "../../routing.ts";
import { useNow } from "../../time/clock.ts";
import { formatSpan } from "../../time/format.ts";
import { now } from "../../time/now.ts";
import { addDays, dateOf, isDate, iso, startOfDay, timeZone } from "../../time/zone.ts";
import { Card } from "./card.tsx";
import { SharingDialogs } from "./dialogs.tsx";
import { Exceptions } from "./exceptions.tsx";
import { type OwnSpot, shareWindow, useOwnSpots } from "./own-spots.ts";
import { mondayOf } from "./plan.ts";
import { SpotForm } from "./spot-form.tsx";
import { WeekChoice } from "./week.tsx";
import { WeeklyForm } from "./weekly.tsx";

export function Spots() {
  const now = useNow();
  const owned = useOwnSpots(now);
  const { week = "" } = useRoute().query;
  const first = mondayOf(dateOf(now, timeZone()));
  const monday = isDate(week) ? mondayOf(week) : weekOfNext(owned.value ?? [], now);
  const register = <AddButton opens="register" text="spots.register" />;
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
              <Link href={addresses.signs} class="button" text="screen.signs" />
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
  // A window cannot change if neighbours claimed a part of it.
  const isHeld = parts.some(({ claim }) => claim);
  const pattern = spots.flatMap(({ patterns }) => patterns).find(({ id }) => id === query.pattern);
  return (
    <div>
      {query.register !== undefined && (
        <Dialog title={t("spots.register")} close={closing("register")}>
          <SpotForm />
        </Dialog>
      )}
      {editing && (
        <Dialog
          title={t("spots.editTitle", { spot: editing.spot.spot_number })}
          close={closing("edit")}
        >
          <SpotForm spot={editing.spot} />
        </Dialog>
      )}
      <SharingDialogs spots={spots} />
      {parts[0] && (
        <Dialog title={t(isHeld ? "slot.lent" : "spots.changeTitle")} close={closing("change")}>
          {isHeld ? <Lent parts={parts} /> : <WindowForm window={parts[0].window} />}
        </Dialog>
      )}
      {pattern && (
        <Dialog title={t("pattern.title")} close={closing("pattern")}>
          <WeeklyForm spotId={pattern.spot_id} pattern={pattern} />
        </Dialog>
      )}
    </div>
  );
}

function Lent({ parts }: { readonly parts: readonly Part[] }) {
  const free = parts.find(({ isFree }) => isFree);
  return (
    <>
      {parts.map((part) => (
        <div key={part.id}>
          <p>{plain(`${t(`bar.${stateOf(part)}`)} ${formatSpan(part.start, part.end)}`)}</p>
          {part.claim && <ParkingLine {...part.claim} />}
          {part.claim?.status === "active" && <ContactDetails claimId={part.claim.id} />}
        </div>
      ))}
      {free && <KeepButton window={free.window} />}
    </>
  );
}

const KeepButton = ({ window }: { readonly window: Availability }) => (
  <Button onClick={() => keepPartOf(window)} text="exceptions.keepTitle" />
);

/** Moves, shortens, extends or withdraws a window that nobody has claimed. */
function WindowForm({ window }: { readonly window: Availability }) {
  const close = useClose();
  const [before] = useState(() => typedSpan(spanOfRow(window)));
  const [value, change] = useState(before);
  // If the window begins while the form is open, the field stays, so that a start that was already
  // typed can be corrected.
  const [hasBegun] = useState(() => Date.parse(window.start_time) <= now());
  const path = `/availabilities/${window.id}`;
  const save = async () => {
    if (spanOf(value) === undefined) return;
    await put(path, changesOf(before, value));
    close();
    toast(t("claims.changed"));
  };
  const withdraw = async () => {
    // The shown window may be older than the last change, and Undo would share the old one.
    const { availability } = await get<{ readonly availability: Availability }>(path);
    await remove(path);
    close();
    const when = formatSpan(availability.start_time, availability.end_time);
    const canUndo = Date.parse(availability.start_time) > now();
    const shareAgain = () => shareWindow(availability.spot_id, spanOfRow(availability));
    toast(t("spots.withdrawn", { span: when }), canUndo ? shareAgain : undefined);
  };
  const after = (
    <div class="actions">
      <KeepButton window={window} />
      <ActionButton act={withdraw} class="plain" text="spots.withdraw" />
    </div>
  );
  return (
    <ActionForm act={save} submit="app.save" cancel after={after}>
      {window.pattern_id !== undefined && <p class="notice">{t("spots.ofPattern")}</p>}
      <SpanFields value={value} change={change} endOnly={hasBegun} />
    </ActionForm>
  );
}

/** Opens the form to keep a part of the window for the person. It proposes the first day. */
function keepPartOf({ spot_id, start_time, end_time }: Availability): void {
  const start = Math.max(now(), Date.parse(start_time));
  const nextDay = startOfDay(addDays(dateOf(start, timeZone()), 1), timeZone());
  const end = Math.min(Date.parse(end_time), nextDay);
  const span = { from: iso(start), until: iso(end) };
  updateQuery({ change: undefined, keep: spot_id, ...span }, { replace: true });
}
