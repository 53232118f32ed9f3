import { useState } from "preact/hooks";
import { remove } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import type { Spot } from "../../api/resources.ts";
import { t } from "../../messages/translate.ts";
import { Refusal, useAction } from "../../parts/form.tsx";
import { toast } from "../../parts/toasts.tsx";

/** Removing a spot cannot be undone, so it takes two steps. */
export function SpotRemoval({ spot, close }: { readonly spot: Spot; readonly close: () => void }) {
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
