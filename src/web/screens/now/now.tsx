import { useEffect } from "preact/hooks";
import { addresses } from "../../../addresses.ts";
import { ofOwnSpots, ownSpots } from "../../api/lists.ts";
import { contactOf, currentClaims, type OwnClaim, phaseOf } from "../../api/own-claims.ts";
import { usePersonId } from "../../api/person.ts";
import { type Reading, readAhead, useReading } from "../../api/reading.ts";
import { plain, t } from "../../messages/translate.ts";
import { ClaimHero } from "../../parts/claims/hero.tsx";
import { type ShownClaim, useInPlace } from "../../parts/claims/in-place.ts";
import { Link } from "../../parts/controls.tsx";
import { lazy, withTexts } from "../../parts/lazy.tsx";
import { Loading, whenRead } from "../../parts/states.tsx";
import { hrefOf } from "../../routing.ts";
import { useNow } from "../../time/clock.ts";
import { formatNear } from "../../time/format.ts";
import { DAY } from "../../time/zone.ts";
import { keyOf, Park, useChosen } from "./park.tsx";
import { usePinned } from "./row.tsx";

/** The number of claims whose contacts are read in advance: a garage may have no network. */
const AHEAD = 3;

/** The number of later claims that have a line. */
const LINES = 3;

/** Loaded later, because most residents have no spot. */
const OwnToday = lazy(async () => (await withTexts(import("./own.tsx"), "spots")).OwnToday);

/** Loaded later, because most claims can be longer. */
const NextSpot = lazy(async () => (await import("./next.tsx")).NextSpot, null);

export function Now() {
  const now = useNow();
  const personId = usePersonId();
  const claims = useReading(currentClaims(personId));
  const spots = useReading(ownSpots(personId));
  const chosen = useChosen(now);
  const pinned = usePinned(chosen === undefined ? "" : keyOf(chosen));
  const all = claims.value ?? [];
  const shown = useInPlace(
    all.filter(({ id }) => !pinned.drawn.includes(id)),
    now,
  );
  useEffect(() => {
    // A claim from an earlier visit may have ended, and its contact with it.
    const known = claims.isEarlier === true ? [] : all;
    for (const { id } of known.slice(0, AHEAD)) readAhead(contactOf(id));
  }, [claims.value]);
  const owned = spots.value?.length ?? 0;
  useEffect(() => {
    // While the module of their cards is fetched, and not after it.
    if (owned > 0) for (const it of Object.values(ofOwnSpots(personId))) readAhead(it);
  }, [owned]);
  // All parts appear together, so that no later part pushes the others down.
  const isComing = ({ value, error }: Reading<unknown>) =>
    value === undefined && error === undefined;
  if (isComing(claims) || isComing(spots)) return <Loading />;
  const large = shown.filter((claim, index) => isLarge(claim, index, now));
  const later = shown.filter((claim) => !large.includes(claim));
  return (
    <div class="stack now-screen">
      <div class="mine stack">
        {claims.value === undefined && whenRead(claims, () => null)}
        {large.map((claim) => (
          <ClaimHero
            key={claim.id}
            claim={claim}
            now={now}
            next={<NextSpot claim={claim} claims={all} now={now} />}
          />
        ))}
        {owned > 0 && (
          <div class="own-place" style={{ "--spots": owned }}>
            <OwnToday />
          </div>
        )}
        {later.length > 0 && <Later claims={later} now={now} />}
      </div>
      <Park chosen={chosen} now={now} pinned={pinned} />
    </div>
  );
}

/**
 * A claim that is in use, or was closed a moment ago, or the first one if it begins within a day.
 * What is later needs one line.
 */
const isLarge = (claim: ShownClaim, index: number, now: number): boolean =>
  claim.canUndo !== undefined ||
  phaseOf(claim, now) === "now" ||
  (index === 0 && Date.parse(claim.start_time) - now < DAY);

function Later({ claims, now }: { readonly claims: readonly OwnClaim[]; readonly now: number }) {
  const others = claims.length - LINES;
  return (
    <>
      <ul class="entries claim-lines">
        {claims.slice(0, LINES).map(({ id, spot, start_time, end_time }) => (
          <li key={id}>
            <Link href={hrefOf(addresses.claims, { claim: id })} class="beside">
              <strong>{plain(spot.spot_number)}</strong>
              <span class="near quiet">
                {formatNear(Date.parse(start_time), Date.parse(end_time), now)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {others > 0 && (
        <Link href={addresses.claims} class="quiet small">
          {t("now.others", { count: others })}
        </Link>
      )}
    </>
  );
}
