import { stale } from "../api/live.ts";
import { t } from "../messages/translate.ts";
import { useStore } from "../store.ts";
import { useNow } from "../time/clock.ts";
import { formatNearMoment } from "../time/near.ts";

/** Shows the age of the data if newer data could not be read. */
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
