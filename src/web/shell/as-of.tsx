import { stale } from "../api/live.ts";
import { t } from "../messages/translate.ts";
import { useStore } from "../store.ts";
import { useNow } from "../time/clock.ts";
import { formatNearMoment } from "../time/near.ts";

/** Says how old that is which is shown, where nothing newer could be read. */
export function AsOf() {
  const now = useNow();
  const { readAt } = useStore(stale) ?? {};
  if (readAt === undefined) return null;
  return (
    <p class="as-of quiet" role="status">
      {t("app.asOf", { time: formatNearMoment(readAt, now) })}
    </p>
  );
}
