import { useState } from "preact/hooks";
import { post, put, remove } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import type { Availability } from "../../api/resources.ts";
import { t } from "../../messages/translate.ts";
import { Contact } from "../../parts/contact.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { FormButtons, Refusal, useAction } from "../../parts/form.tsx";
import { ParkingLine } from "../../parts/parking-fields.tsx";
import { typedSpan } from "../../parts/span-fields.tsx";
import { explain } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { updateQuery } from "../../routing.ts";
import { formatSpan } from "../../time/format.ts";
import type { OwnWindow } from "./own-spots.ts";
import { OnceFields, spansOfOnce } from "./share-once.tsx";

/** A window of the person's own spot. One that a neighbour claimed stays as it is. */
export function WindowLine({ window, claim }: OwnWindow) {
  const action = useAction();
  const when = formatSpan(window.start_time, window.end_time);
  const withdraw = () =>
    action.run(async () => {
      await remove(`/availabilities/${window.id}`);
      changed("availabilities");
      const canUndo = Date.parse(window.start_time) > Date.now();
      const undo = { name: t("app.undo"), run: () => shareAgain(window) };
      toast(t("spots.withdrawn", { span: when }), canUndo ? undo : undefined);
    });
  return (
    <li>
      <div>
        <span>{when}</span>
        {claim && (
          <span class="badge accent">
            {t("spots.lent", { span: formatSpan(claim.start_time, claim.end_time) })}
          </span>
        )}
        {claim && <ParkingLine {...claim} />}
        {claim?.status === "active" && <Contact claimId={claim.id} name="contact.claimer" />}
        <Refusal action={action} />
      </div>
      {!window.is_claimed && (
        <div class="actions no-print">
          <button
            type="button"
            class="small-action"
            aria-label={t("spots.changeWindow", { span: when })}
            onClick={() => updateQuery({ change: window.id })}
          >
            {t("app.change")}
          </button>
          <button
            type="button"
            class="small-action"
            disabled={action.busy}
            aria-label={t("spots.withdrawWindow", { span: when })}
            onClick={withdraw}
          >
            {t("spots.withdraw")}
          </button>
        </div>
      )}
    </li>
  );
}

async function shareAgain({ spot_id, start_time, end_time }: Availability): Promise<void> {
  try {
    await post("/availabilities", { spot_id, start_time, end_time });
  } catch (error) {
    toast(explain(error));
  }
  changed("availabilities");
}

interface WindowDialogProperties {
  readonly window: Availability;
  readonly close: () => void;
}

/** Moves, shortens or extends a window that nobody has claimed. */
export const WindowDialog = ({ window, close }: WindowDialogProperties) => (
  <Dialog title={t("spots.changeTitle")} close={close}>
    <WindowForm window={window} close={close} />
  </Dialog>
);

function WindowForm({ window, close }: WindowDialogProperties) {
  const [value, change] = useState(() =>
    typedSpan({ start: Date.parse(window.start_time), end: Date.parse(window.end_time) }),
  );
  const action = useAction();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const [span] = spansOfOnce(value);
    if (span === undefined) return;
    action.run(async () => {
      const start_time = new Date(span.start).toISOString();
      await put(`/availabilities/${window.id}`, {
        // What has begun keeps its beginning.
        ...(start_time !== window.start_time && { start_time }),
        end_time: new Date(span.end).toISOString(),
      });
      changed("availabilities");
      close();
      toast(t("claims.changed"));
    });
  };
  return (
    <form class="form" onSubmit={submit}>
      <OnceFields value={value} change={change} invalid={action.invalid} />
      <Refusal action={action} />
      <FormButtons action={action} submit={t("app.save")} cancel={close} />
    </form>
  );
}
