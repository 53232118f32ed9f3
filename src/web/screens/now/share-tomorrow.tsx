import { post, remove } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import type { Availability } from "../../api/resources.ts";
import { t } from "../../messages/translate.ts";
import { Refusal, useAction } from "../../parts/form.tsx";
import { spanOf } from "../../parts/span-fields.tsx";
import { explain } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { formatNear } from "../../time/near.ts";
import { now } from "../../time/now.ts";
import type { OwnSpot } from "../spots/own-spots.ts";
import { withConflict } from "../spots/plan.ts";
import { onceAtFirst } from "../spots/share-once.tsx";

/** Shares a spot for tomorrow's working hours, which the form proposes too. */
export function ShareTomorrow({ own, now: at }: { readonly own: OwnSpot; readonly now: number }) {
  const action = useAction();
  const shown = spanOf(onceAtFirst(at));
  if (shown === undefined || withConflict(shown, own.windows, at).conflict) return null;
  const spot = own.spot.spot_number;
  const share = async () => {
    // The page may have been in the background since yesterday.
    const span = spanOf(onceAtFirst(now())) ?? shown;
    const { availability } = await post<{ readonly availability: Availability }>(
      "/availabilities",
      {
        spot_id: own.spot.id,
        start_time: new Date(span.start).toISOString(),
        end_time: new Date(span.end).toISOString(),
      },
    );
    changed("availabilities");
    const when = formatNear(span.start, span.end, now());
    toast(t("now.shared", { spot, span: when }), {
      name: t("app.undo"),
      run: () => withdraw(availability),
    });
  };
  return (
    <>
      <button
        type="button"
        class="small-action tonal"
        aria-describedby={`own-${own.spot.id}`}
        aria-disabled={action.busy}
        onClick={() => action.run(share)}
      >
        {t("now.shareTomorrow")}
      </button>
      <Refusal action={action} />
    </>
  );
}

async function withdraw({ id }: Availability): Promise<void> {
  // A neighbour may have claimed it.
  await remove(`/availabilities/${id}`).catch((error: unknown) => toast(explain(error)));
  changed("availabilities");
}
