import { useEffect } from "preact/hooks";
import { addresses } from "../../../addresses.ts";
import { ownSpots } from "../../api/lists.ts";
import { contactOf, currentClaims, type OwnClaim } from "../../api/own-claims.ts";
import { usePersonId } from "../../api/person.ts";
import { readAhead, useReading } from "../../api/reading.ts";
import { t } from "../../messages/translate.ts";
import { ClaimHero } from "../../parts/claims/hero.tsx";
import { useInPlace } from "../../parts/claims/in-place.ts";
import { lazy, withTexts } from "../../parts/lazy.tsx";
import { Link } from "../../parts/link.tsx";
import { Loading, whenRead } from "../../parts/states.tsx";
import { useNow } from "../../time/clock.ts";
import { keyOf, Park, useChosen } from "./park.tsx";
import { usePinned } from "./row.tsx";

/** The number of claims whose contacts are read in advance: a garage may have no network. */
const AHEAD = 3;

/** Loaded later, because most residents have no spot. */
const OwnToday = lazy(async () => (await withTexts(import("./own.tsx"), "spots")).OwnToday);

export function Now() {
  const now = useNow();
  const personId = usePersonId();
  const claims = useReading(currentClaims(personId));
  const hasSpots = (useReading(ownSpots(personId)).value ?? []).length > 0;
  const chosen = useChosen(now);
  const pinned = usePinned(chosen === undefined ? "" : keyOf(chosen));
  useEffect(() => {
    // A claim from an earlier visit may have ended, and its contact with it.
    const known = claims.isEarlier === true ? [] : (claims.value ?? []);
    for (const { id } of known.slice(0, AHEAD)) readAhead(contactOf(id));
  }, [claims.value]);
  // All parts appear together, so that no later part pushes the others down.
  if (claims.value === undefined && claims.error === undefined) return <Loading />;
  return (
    <div class="now-screen">
      {whenRead(claims, (all) => (
        <Next claims={all.filter(({ id }) => !pinned.drawn.includes(id))} now={now} />
      ))}
      <Park chosen={chosen} now={now} pinned={pinned} />
      {hasSpots && <OwnToday />}
    </div>
  );
}

function Next({ claims, now }: { readonly claims: readonly OwnClaim[]; readonly now: number }) {
  const [next, ...others] = useInPlace(claims, now);
  if (next === undefined) return null;
  return (
    <div class="next stack">
      <ClaimHero key={next.id} claim={next} now={now} />
      {others.length > 0 && (
        <Link href={addresses.claims} class="quiet small">
          {t("now.others", { count: others.length })}
        </Link>
      )}
    </div>
  );
}
