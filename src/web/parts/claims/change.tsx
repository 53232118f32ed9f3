import { useState } from "preact/hooks";
import { useBuilding } from "../../api/building.ts";
import { claimOf, type OneClaim } from "../../api/own-claims.ts";
import { useReading } from "../../api/reading.ts";
import { t } from "../../messages/translate.ts";
import { closing, useRoute } from "../../routing.ts";
import { formatSpan } from "../../time/format.ts";
import { now } from "../../time/now.ts";
import { touchedOf } from "../../unsaved.ts";
import { useChange } from "../change.ts";
import { Dialog } from "../dialog.tsx";
import { withNull } from "../empty.ts";
import { ActionForm, useClose } from "../form.tsx";
import { ParkingFields, parkingTyped } from "../parking-fields.tsx";
import { SpanFields } from "../span-fields.tsx";
import { whenRead } from "../states.tsx";
import { toast } from "../toasts.tsx";
import { changesOf, spanOf, typedSpan } from "../typed-span.ts";
import { roomOf } from "./room.ts";

/**
 * Shortens, extends or moves a claim. Every screen that shows claims has this dialog, and it is
 * part of the address.
 */
export function ChangeDialog() {
  const { changing: id } = useRoute().query;
  return id ? <OpenDialog key={id} id={id} /> : null;
}

function OpenDialog({ id }: { readonly id: string }) {
  const reading = useReading(claimOf(id));
  const title = t("claims.changeTitle", { spot: reading.value?.claim?.spot.spot_number ?? "" });
  return (
    <Dialog title={title} close={closing("changing")}>
      {whenRead(reading, ({ claim }) =>
        claim ? <ChangeForm claim={claim} /> : <p>{t("claims.gone")}</p>,
      )}
    </Dialog>
  );
}

type ClaimToChange = NonNullable<OneClaim["claim"]>;

/** For a claim that has begun, only the end can change. */
function ChangeForm({ claim }: { readonly claim: ClaimToChange }) {
  const close = useClose();
  const [before] = useState(() =>
    typedSpan({ start: Date.parse(claim.start_time), end: Date.parse(claim.end_time) }),
  );
  const [typed, setTyped] = useState(before);
  const change = useChange(`/claims/${claim.id}`);
  const room = roomOf(claim, claim.availability, useBuilding().rest_stays_on_offer);
  const save = async (form: HTMLFormElement) => {
    if (spanOf(typed) === undefined) return;
    await change({ ...changesOf(before, typed), ...touchedOf(form, withNull(parkingTyped(form))) });
    close();
    toast(t("claims.saved"));
  };
  return (
    <ActionForm act={save} submit="app.save" cancel>
      <p>{t("claim.offered", { span: formatSpan(room.start, room.end) })}</p>
      <SpanFields
        value={typed}
        change={setTyped}
        within={room}
        endOnly={Date.parse(claim.start_time) <= now()}
      />
      <ParkingFields guest={claim.guest} vehicle={claim.vehicle} />
    </ActionForm>
  );
}
