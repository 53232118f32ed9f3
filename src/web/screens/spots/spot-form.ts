import { useState } from "preact/hooks";
import { post, put, remove } from "../../api/client.ts";
import { allSpots } from "../../api/lists.ts";
import { changed } from "../../api/live.ts";
import { useReading } from "../../api/reading.ts";
import type { Spot } from "../../api/resources.ts";
import { elements, part, plain } from "../../elements.ts";
import { t } from "../../messages/translate.ts";
import { Dialog } from "../../parts/dialog.ts";
import { Field, refusal, typedInto, useAction } from "../../parts/form.ts";
import { toast } from "../../parts/toasts.ts";

const { button, datalist, div, form, input, option, p } = elements;

const SECTIONS = "sections";

interface SpotDialogProperties {
  /** Without one, a new spot is registered. */
  readonly spot?: Spot | undefined;
  readonly close: () => void;
}

/** Registers a spot, changes its number and section, or removes it. */
export function SpotDialog({ spot, close }: SpotDialogProperties) {
  const title = spot ? t("spots.editTitle", { spot: spot.spot_number }) : t("spots.register");
  return part(Dialog, { title, close, content: part(SpotForm, { spot, close }) });
}

function SpotForm({ spot, close }: SpotDialogProperties) {
  const action = useAction();
  const spots = useReading(allSpots).value ?? [];
  const sections = [...new Set(spots.map((one) => one.building_section))].toSorted();
  const save = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const typed = typedInto(event.currentTarget);
    action.run(async () => {
      if (spot) await put(`/parking-spots/${spot.id}`, typed);
      else await post("/parking-spots", typed);
      changed("spots");
      close();
      toast(t(spot ? "spots.saved" : "spots.registered"));
    });
  };
  return form(
    { class: "form", onSubmit: save },
    part(Field, {
      name: "spot_number",
      label: t("spots.number"),
      hint: t("spots.numberHint"),
      invalid: action.invalid.includes("spot_number"),
      control: (it) =>
        input({ ...it, required: true, maxLength: 32, defaultValue: spot?.spot_number ?? "" }),
    }),
    part(Field, {
      name: "building_section",
      label: t("board.section"),
      invalid: action.invalid.includes("building_section"),
      control: (it) =>
        input({
          ...it,
          required: true,
          maxLength: 100,
          list: SECTIONS,
          defaultValue: spot?.building_section ?? "",
        }),
    }),
    datalist(
      { id: SECTIONS },
      sections.map((name) => option({ key: name, value: name }, plain(name))),
    ),
    spot?.is_verified === true && p({ class: "notice" }, t("spots.verifiedAgain")),
    refusal(action),
    div(
      { class: "actions" },
      button(
        { class: "main-action", disabled: action.busy },
        t(spot ? "app.save" : "spots.register"),
      ),
      button({ type: "button", onClick: close }, t("app.cancel")),
    ),
    spot && part(Removal, { spot, close }),
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
    return button({ type: "button", class: "plain", onClick: () => ask(true) }, t("spots.remove"));
  }
  return div(
    { class: "form" },
    p({}, t("spots.removeText")),
    refusal(action),
    button(
      { type: "button", class: "danger", disabled: action.busy, onClick: removeSpot },
      t("spots.removeNow"),
    ),
  );
}
