import { addresses } from "../../../addresses.ts";
import { useBuilding } from "../../api/building.ts";
import { allSections, allSpots, claimsSince, limitsIn, windowsOfSpot } from "../../api/lists.ts";
import { usePersonId } from "../../api/person.ts";
import { together, useMovingReading, useReading } from "../../api/reading.ts";
import type { Spot as SpotOfApi } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { StrangerButton } from "../../parts/claims/stranger.tsx";
import { Link } from "../../parts/link.tsx";
import { Star } from "../../parts/star.tsx";
import { Empty, whenRead } from "../../parts/states.tsx";
import { hrefOf, useRoute } from "../../routing.ts";
import { useNow } from "../../time/clock.ts";
import { dateOf, startOfDay, timeZone } from "../../time/zone.ts";
import { Later, Present } from "./present.tsx";
import { offersOf, stateOf } from "./state.ts";

/** One spot, opened by the code on its sign: whether it is free, and a claim with one tap. */
export function Spot() {
  const { name = "" } = useRoute();
  return whenRead(useReading(allSpots), (spots) => {
    const spot = spotNamed(spots, name);
    if (spot !== undefined) return <OneSpot key={spot.id} spot={spot} />;
    return (
      <Empty
        title="spot.unknown"
        values={{ name }}
        text="spot.unknownText"
        actions={
          <Link href={addresses.board} class="button">
            {t("spot.toBoard")}
          </Link>
        }
      />
    );
  });
}

/** Numbers are unique even without their case and their compatibility forms. */
function spotNamed(spots: readonly SpotOfApi[], name: string): SpotOfApi | undefined {
  const key = (number: string) => number.normalize("NFKC").toLowerCase();
  return spots.find(({ id, spot_number }) => key(spot_number) === key(name) || id === name);
}

function OneSpot({ spot }: { readonly spot: SpotOfApi }) {
  const personId = usePersonId();
  const now = useNow();
  const since = startOfDay(dateOf(now, timeZone()), timeZone());
  const { rest_stays_on_offer: restIsFree = false } = useBuilding();
  const isOwn = spot.owner_id === personId;
  const all = together({
    windows: useMovingReading(windowsOfSpot(spot.id, since)),
    claims: useMovingReading(claimsSince(since)),
    sections: useReading(allSections),
  });
  return (
    <div class="stack spot-screen">
      <div class="card-head">
        <p class="quiet">{plain(spot.building_section)}</p>
        {!spot.is_verified && <span class="badge attention">{t("spots.unverified")}</span>}
        {!isOwn && <Star spot={spot} />}
      </div>
      {spot.notes !== undefined && <p class="notes">{plain(spot.notes)}</p>}
      {whenRead(all, ({ windows, claims, sections }) => {
        const known = {
          windows,
          claims,
          limits: limitsIn(spot.building_section, sections),
          restIsFree,
          personId,
          isOwn,
          now,
        };
        const state = stateOf(known);
        const offers = isOwn ? [] : offersOf(known);
        const shown = state.kind === "free" ? state.offer.free.start : undefined;
        return (
          <>
            <Present state={state} isOwn={isOwn} now={now} />
            {state.kind === "yours" && state.part.start <= now && (
              <StrangerButton spotId={spot.id} class="no-print" />
            )}
            <Later offers={offers.filter(({ free }) => free.start !== shown)} now={now} />
          </>
        );
      })}
      {isOwn && <OwnActions spot={spot} />}
    </div>
  );
}

/** The owner's actions. The forms belong to the screen of own spots. */
const OwnActions = ({ spot }: { readonly spot: SpotOfApi }) => (
  <div class="actions no-print">
    <Link href={hrefOf(addresses.spots, { share: spot.id })} class="button main-action">
      {t("share.share")}
    </Link>
    <Link href={hrefOf(addresses.spots, { keep: spot.id })} class="button">
      {t("exceptions.keepTitle")}
    </Link>
    <Link href={hrefOf(addresses.signs, { spot: spot.id })} class="button">
      {t("spots.sign")}
    </Link>
    <StrangerButton spotId={spot.id} />
  </div>
);
