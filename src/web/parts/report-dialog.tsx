import { post } from "../api/client.ts";
import { changed } from "../api/live.ts";
import { t } from "../messages/translate.ts";
import { closing, updateQuery, useRoute } from "../routing.ts";
import { Dialog } from "./dialog.tsx";
import { Field, FormButtons, formValues, Refusal, useAction } from "./form.tsx";
import { toast } from "./toasts.tsx";

/** Opens the form. It is in the address, so that other screens can link to it. */
export const openReport = (): void => updateQuery({ report: "1" });

/** Reports a stranger's car on the spot to administrators, and to the claimer or the owner. */
export function ReportDialog({ spot }: { readonly spot: { readonly id: string } }) {
  const { report } = useRoute().query;
  const action = useAction();
  if (!report) return null;
  const close = closing("report");
  const send = async (form: HTMLFormElement) => {
    const { vehicle, note } = formValues(form);
    await post("/spot-reports", {
      spot_id: spot.id,
      ...(vehicle && { vehicle }),
      ...(note && { note }),
    });
    changed("spotReports");
    toast(t("spot.strangerDone"));
    close();
  };
  return (
    <Dialog title={t("claims.stranger")} close={close}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          action.run(() => send(form));
        }}
      >
        <p>{t("spot.strangerText")}</p>
        <Field
          name="vehicle"
          label={t("spot.strangerPlate")}
          invalid={action.invalid.includes("vehicle")}
          control={(it) => <input {...it} maxLength={16} autocomplete="off" />}
        />
        <Field
          name="note"
          label={t("spot.strangerNote")}
          hint={t("spot.strangerNoteHint")}
          invalid={action.invalid.includes("note")}
          control={(it) => <input {...it} maxLength={300} autocomplete="off" />}
        />
        <Refusal action={action} />
        <FormButtons action={action} submit={t("spot.strangerNow")} cancel={close} />
      </form>
    </Dialog>
  );
}
