import { post } from "../../api/client.ts";
import { allSpots } from "../../api/lists.ts";
import { changed } from "../../api/live.ts";
import { useReading } from "../../api/reading.ts";
import type { Spot } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { useChange } from "../../parts/change.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, FormButtons, formValues, Refusal, useAction } from "../../parts/form.tsx";
import { sectionsOf } from "../../parts/sections.tsx";
import { toast } from "../../parts/toasts.tsx";
import { touchedOf } from "../../parts/unsaved.ts";
import { AccessField, putAccess } from "./access.tsx";
import { SpotRemoval } from "./removal.tsx";

const SECTIONS = "sections";

interface SpotDialogProperties {
  /** Without a spot, the form registers a new one. */
  readonly spot?: Spot | undefined;
  readonly close: () => void;
}

/** Registers a spot, changes its number and section, or removes it. */
export function SpotDialog({ spot, close }: SpotDialogProperties) {
  const title = spot ? t("spots.editTitle", { spot: spot.spot_number }) : t("spots.register");
  return (
    <Dialog title={title} close={close}>
      <SpotForm spot={spot} close={close} />
    </Dialog>
  );
}

function SpotForm({ spot, close }: SpotDialogProperties) {
  const action = useAction();
  const change = useChange(`/parking-spots/${spot?.id}`, { isNew: spot === undefined });
  const sections = sectionsOf(useReading(allSpots).value ?? []);
  const save = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const form = event.currentTarget;
    const { access_notes, notes = "", ...typed } = formValues(form);
    const touched = touchedOf(form, { ...typed, notes: notes || null, access_notes });
    action.run(async () => {
      if (spot) {
        const { access_notes, ...others } = touched;
        if (Object.keys(others).length > 0) await change(others);
        if (access_notes !== undefined) await putAccess(spot, access_notes);
      } else {
        await post("/parking-spots", { ...typed, ...(notes && { notes }) });
      }
      changed("spots", "spotAccess");
      close();
      toast(t(spot ? "spots.saved" : "spots.registered"));
    });
  };
  return (
    <form class="form" onSubmit={save}>
      <Field
        name="spot_number"
        label={t("spots.number")}
        hint={t("spots.numberHint")}
        invalid={action.invalid.includes("spot_number")}
        control={(it) => (
          <input {...it} required maxLength={32} defaultValue={spot?.spot_number ?? ""} />
        )}
      />
      <Field
        name="building_section"
        label={t("board.section")}
        invalid={action.invalid.includes("building_section")}
        control={(it) => (
          <input
            {...it}
            required
            maxLength={100}
            list={SECTIONS}
            defaultValue={spot?.building_section ?? ""}
          />
        )}
      />
      <datalist id={SECTIONS}>
        {sections.map((name) => (
          <option key={name} value={name}>
            {plain(name)}
          </option>
        ))}
      </datalist>
      <Field
        name="notes"
        label={t("spots.notes")}
        hint={t("spots.notesHint")}
        invalid={action.invalid.includes("notes")}
        control={(it) => <input {...it} maxLength={300} defaultValue={spot?.notes ?? ""} />}
      />
      {spot && <AccessField spot={spot} invalid={action.invalid} />}
      {spot?.is_verified === true && <p class="notice">{t("spots.verifiedAgain")}</p>}
      <Refusal action={action} />
      <FormButtons
        action={action}
        submit={t(spot ? "app.save" : "spots.register")}
        cancel={close}
      />
      {spot && <SpotRemoval spot={spot} close={close} />}
    </form>
  );
}
