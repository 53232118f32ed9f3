import { useRef } from "preact/hooks";
import { post, put, remove } from "../../api/client.ts";
import { allSpots, answer } from "../../api/lists.ts";
import { useReading } from "../../api/reading.ts";
import type { Spot, SpotAccess } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { useChange } from "../../parts/change.ts";
import { DangerZone } from "../../parts/danger-zone.tsx";
import { TextField } from "../../parts/fields.tsx";
import { ActionButton, ActionForm, Actions, formValues, useClose } from "../../parts/form.tsx";
import { sectionsOf } from "../../parts/sections.tsx";
import { whenRead } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { touchedOf } from "../../unsaved.ts";

const SECTIONS = "sections";

export function SpotForm({ spot }: { readonly spot?: Spot }) {
  const close = useClose();
  const change = useChange(`/parking-spots/${spot?.id}`, { isNew: spot === undefined });
  const sections = sectionsOf(useReading(allSpots).value ?? []);
  const save = async (form: HTMLFormElement) => {
    const { access_notes, notes = "", ...typed } = formValues(form);
    const touched = touchedOf(form, { ...typed, notes: notes || null, access_notes });
    if (spot) {
      const { access_notes, ...others } = touched;
      if (Object.keys(others).length > 0) await change(others);
      if (access_notes !== undefined)
        await put(accessOf(spot), { access_notes: access_notes || null });
    } else {
      await post("/parking-spots", { ...typed, ...(notes && { notes }) });
    }
    close();
    toast(t(spot ? "spots.saved" : "spots.registered"));
  };
  return (
    <ActionForm
      act={save}
      submit={spot ? "app.save" : "spots.register"}
      cancel
      after={spot && <SpotRemoval spot={spot} />}
    >
      <TextField
        name="spot_number"
        label="spots.number"
        hint="spots.numberHint"
        required
        value={spot?.spot_number}
      />
      <TextField
        name="building_section"
        label="board.section"
        required
        list={SECTIONS}
        value={spot?.building_section}
      />
      <datalist id={SECTIONS}>
        {sections.map((name) => (
          <option key={name} value={name}>
            {plain(name)}
          </option>
        ))}
      </datalist>
      <TextField name="notes" label="spots.notes" hint="spots.notesHint" value={spot?.notes} />
      {spot && <AccessField spot={spot} />}
      {spot?.is_verified === true && <p class="notice">{t("spots.verifiedAgain")}</p>}
    </ActionForm>
  );
}

const accessOf = ({ id }: Spot): string => `/parking-spots/${id}/access`;

/** Notes for people who have claimed the spot. They are separate: everybody reads the spot. */
function AccessField({ spot }: { readonly spot: Spot }) {
  // Without the topic of spots: a removed spot has no access notes, and reading them would be
  // refused.
  const reading = useReading(
    answer<{ readonly access: SpotAccess }>(accessOf(spot), ["spotAccess"]),
  );
  // An old value would hide later changes. What is shown stays while somebody types.
  const shown = useRef<typeof reading>({});
  if (!reading.isOld) shown.current = reading;
  return whenRead({ error: reading.error, ...shown.current }, ({ access }) => (
    <TextField
      name="access_notes"
      label="spots.access"
      hint="spots.accessHint"
      value={access.access_notes}
    />
  ));
}

function SpotRemoval({ spot }: { readonly spot: Spot }) {
  const close = useClose();
  const removeSpot = async () => {
    await remove(`/parking-spots/${spot.id}`);
    close();
    toast(t("spots.removed"));
  };
  return (
    <DangerZone title="spots.remove">
      <p>{t("spots.removeText")}</p>
      <Actions>
        <ActionButton act={removeSpot} class="danger" text="spots.removeNow" />
      </Actions>
    </DangerZone>
  );
}
