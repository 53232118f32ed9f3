import { plain, type Text, t } from "../../messages/translate.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, FormButtons, formValues, useAction } from "../../parts/form.tsx";
import { addressIn } from "./columns.ts";
import type { Planned } from "./plan.ts";

interface EntryDialogProperties {
  readonly planned: Planned;
  readonly save: (planned: Planned) => void;
  readonly close: () => void;
}

/** Corrects one person of the list. */
export function EntryDialog({ planned, save, close }: EntryDialogProperties) {
  const action = useAction();
  const title = t("people.editTitle", { rows: planned.lines.join(", ") });
  const field = (
    name: "email" | "full_name" | "apartment_number",
    label: Text,
    maxLength: number,
  ) => (
    <Field
      name={name}
      label={label}
      control={(it) => <input {...it} maxLength={maxLength} defaultValue={planned[name]} />}
    />
  );
  return (
    <Dialog title={title} close={close}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          const {
            email = "",
            full_name = "",
            apartment_number = "",
            spots = "",
          } = formValues(event.currentTarget);
          const { lines } = planned;
          save({
            lines,
            email: addressIn(email),
            full_name,
            apartment_number,
            spots: spotsIn(spots),
            differs: false,
          });
          close();
        }}
      >
        {field("email", t("people.email"), 320)}
        {field("full_name", t("people.full_name"), 200)}
        {field("apartment_number", t("people.apartment_number"), 32)}
        <Field
          name="spots"
          label={t("people.spots")}
          hint={t("people.spotsHint")}
          control={(it) => <textarea {...it} rows={3} defaultValue={plain(linesOf(planned))} />}
        />
        <FormButtons action={action} submit={t("app.save")} cancel={close} />
      </form>
    </Dialog>
  );
}

const linesOf = ({ spots }: Planned): string =>
  spots.map((it) => `${it.spot_number}, ${it.building_section}`).join("\n");

const spotsIn = (text: string): Planned["spots"] =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [number = "", ...section] = line.split(",");
      return { spot_number: number.trim(), building_section: section.join(",").trim() };
    });
