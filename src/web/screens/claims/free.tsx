import { useReading } from "../../api/reading.ts";
import type { Spot, Wish } from "../../api/resources.ts";
import { windowsFor } from "../../api/wishes.ts";
import { plain, t } from "../../messages/translate.ts";
import { formatted } from "../../time/format.ts";
import { openClaimForm } from "../claim/address.ts";

interface FreeProperties {
  readonly wish: Wish;
  readonly now: number;
  readonly spots: readonly Spot[];
}

/** What is free now: the latest free window, or another one. Somebody may have been faster. */
export function Free({ wish, now, spots }: FreeProperties) {
  const windows = useReading(windowsFor(wish)).value;
  if (windows === undefined) return null;
  const window = windows.find(({ id }) => id === wish.availability_id) ?? windows[0];
  if (window === undefined) {
    return <p>{t(wish.availability_id === undefined ? "wishes.nothingYet" : "wishes.faster")}</p>;
  }
  const spot = spots.find(({ id }) => id === window.spot_id)?.spot_number ?? "";
  const claim = () =>
    openClaimForm(window.id, Date.parse(wish.start_time), Date.parse(wish.end_time));
  return (
    <div class="stack">
      <p>
        {t("wishes.fits", { spot })}
        {window.id === wish.availability_id && offerOf(wish, now)}
      </p>
      <div class="actions no-print">
        <button
          type="button"
          class="main-action"
          aria-label={t("claim.title", { spot })}
          onClick={claim}
        >
          {t("claim.claim")}
        </button>
      </div>
    </div>
  );
}

function offerOf({ offered_from = "", offered_until = "" }: Wish, now: number) {
  if (!(Date.parse(offered_until) > now)) return null;
  const [from, until] = [formatted("moment", offered_from), formatted("moment", offered_until)];
  return plain(
    ` ${Date.parse(offered_from) > now ? t("wishes.keptLater", { from, until }) : t("wishes.kept", { until })}`,
  );
}
