import type { Reading } from "../../api/reading.ts";
import { t } from "../../messages/translate.ts";
import { formatNearMoment } from "../../time/near.ts";

interface AsOfProperties {
  readonly reading: Reading<unknown>;
  readonly now: number;
}

/** Says how old that is which is shown, where nothing newer could be read. */
export function AsOf({ reading, now }: AsOfProperties) {
  const { value, error, readAt, isEarlier } = reading;
  if (value === undefined || readAt === undefined) return null;
  if (error === undefined && isEarlier !== true) return null;
  return (
    <p class="as-of quiet" role="status">
      {t("now.asOf", { time: formatNearMoment(readAt, now) })}
    </p>
  );
}
