import { post } from "../api/client.ts";
import { changed } from "../api/live.ts";
import { t } from "../messages/translate.ts";
import { closing, updateQuery, useRoute } from "../routing.ts";
import { Dialog } from "./dialog.tsx";
import { PlateField, TextField } from "./fields.tsx";
import { ActionForm, formValues, useAction } from "./form.tsx";
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
      <ActionForm action={action} act={send} submit={t("spot.strangerNow")} cancel={close}>
        <p>{t("spot.strangerText")}</p>
        <PlateField name="vehicle" label={t("spot.strangerPlate")} action={action} />
        <TextField
          name="note"
          label={t("spot.strangerNote")}
          hint={t("spot.strangerNoteHint")}
          action={action}
          autocomplete="off"
        />
      </ActionForm>
    </Dialog>
  );
}
