import { allSections, allSpots, favoriteSpots, limitsIn } from "../../api/lists.ts";
import { type OwnClaim, overlaps } from "../../api/own-claims.ts";
import { usePersonId } from "../../api/person.ts";
import { useReading } from "../../api/reading.ts";
import type { Spot } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { takeBack } from "../../parts/claims/acts.ts";
import { useLimits } from "../../parts/claims/lines.tsx";
import { useAfter } from "../../parts/claims/room.ts";
import { ActionButton } from "../../parts/form.tsx";
import { toast } from "../../parts/toasts.tsx";
import { formatTimes } from "../../time/format.ts";
import { HOUR } from "../../time/zone.ts";
import { useTap } from "../claim/make.ts";
import { type Result, resultsOf } from "./results.ts";
import { useFirstSection } from "./section.ts";

interface NextSpotProperties {
  readonly claim: OwnClaim;
  /** All claims of the person. */
  readonly claims: readonly OwnClaim[];
  readonly now: number;
}

/** The best spot for the hour after a claim that cannot be an hour longer. */
export function NextSpot({ claim, claims, now }: NextSpotProperties) {
  const personId = usePersonId();
  const after = useAfter(claim);
  const spots = useReading(allSpots).value ?? [];
  const sections = useReading(allSections).value ?? [];
  const section = useFirstSection(spots);
  const stars = useReading(favoriteSpots).value ?? [];
  if (after === undefined || after.end === Date.parse(claim.end_time) + HOUR) return null;
  const hour = { start: after.end, end: after.end + HOUR };
  if (claims.some((it) => overlaps(it, hour) && it.id !== claim.id)) return null;
  const limitsOf = (spot: Spot) => limitsIn(spot.building_section, sections);
  const favorites = new Set(stars.map(({ spot_id }) => spot_id));
  const wanted = { ...hour, now, limitsOf, personId, favorites, section };
  const [best] = resultsOf(after.bookings.availabilities, spots, wanted);
  return best?.isWhole ? <Offer best={best} /> : null;
}

function Offer({ best }: { readonly best: Result }) {
  const { spot, window } = best;
  const claim = useTap(useLimits(spot.building_section));
  const span = formatTimes(best.start, best.end);
  const submit = async () => {
    const made = await claim(window.id, best);
    if (made === undefined) return;
    const taken = t("claims.nextTaken", { spot: spot.spot_number, span });
    toast(taken, () => takeBack({ ...made, spot }));
  };
  return (
    <div class="next-spot">
      <p>
        <span class="quiet small">{t("claims.next")}</span>
        <strong>{plain(spot.spot_number)}</strong>
        <span>{span}</span>
      </p>
      <ActionButton
        class="claim-button"
        aria-label={t("claim.title", { spot: spot.spot_number })}
        act={submit}
        text="claim.claim"
      />
    </div>
  );
}
