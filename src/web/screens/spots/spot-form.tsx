import { useState } from "preact/hooks";
import { post, put, remove } from "../../api/client.ts";
import { allSpots } from "../../api/lists.ts";
import { changed } from "../../api/live.ts";
import { useReading } from "../../api/reading.ts";
import type { Spot } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, FormButtons, formValues, Refusal, useAction } from "../../parts/form.tsx";
import { sectionsOf } from "../../parts/sections.tsx";
import { toast } from "../../parts/toasts.tsx";

const SECTIONS = "sections";

interface SpotDialogProperties {
  /** Without one, a new spot is registered. */
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
  const sections = sectionsOf(useReading(allSpots).value ?? []);
  const save = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const typed = formValues(event.currentTarget);
    action.run(async () => {
      if (spot) await put(`/parking-spots/${spot.id}`, typed);
      else await post("/parking-spots", typed);
      changed("spots");
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
      {spot?.is_verified === true && <p class="notice">{t("spots.verifiedAgain")}</p>}
      <Refusal action={action} />
      <FormButtons
        action={action}
        submit={t(spot ? "app.save" : "spots.register")}
        cancel={close}
      />
      {spot && <Removal spot={spot} close={close} />}
    </form>
  );
}

/** Removing cannot be undone, so it takes two steps. */
function Removal({ spot, close }: { readonly spot: Spot; readonly close: () => void }) {
  const [isAsked, ask] = useState(false);
  const action = useAction();
  const removeSpot = () =>
    action.run(async () => {
      await remove(`/parking-spots/${spot.id}`);
      changed("spots", "availabilities", "claims");
      close();
      toast(t("spots.removed"));
    });
  if (!isAsked) {
    return (
      <button type="button" class="plain" onClick={() => ask(true)}>
        {t("spots.remove")}
      </button>
    );
  }
  return (
    <div class="form">
      <p>{t("spots.removeText")}</p>
      <Refusal action={action} />
      <button type="button" class="danger" aria-disabled={action.busy} onClick={removeSpot}>
        {t("spots.removeNow")}
      </button>
    </div>
  );
}
