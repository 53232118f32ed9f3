import { useEffect } from "preact/hooks";
import { ownSpots } from "../../api/lists.ts";
import { contactOf, currentClaims } from "../../api/own-claims.ts";
import { person } from "../../api/person.ts";
import { readAhead, useReading } from "../../api/reading.ts";
import { lazy } from "../../parts/lazy.tsx";
import { Loading, whenRead } from "../../parts/states.tsx";
import { useStore } from "../../store.ts";
import { useNow } from "../../time/clock.ts";
import { keyOf, useChosen } from "./chosen.ts";
import { useKept } from "./kept.ts";
import { Next } from "./next.tsx";
import { Park } from "./park.tsx";

/** The number of claims whose contacts are read in advance: a garage may have no network. */
const AHEAD = 3;

/** Loaded later, because most residents have no spot. */
const OwnToday = lazy(async () => (await import("./own.tsx")).OwnToday);

/** Where the person parks, where they can park, and the state of their own spots. */
export function Now() {
  const now = useNow();
  const { profile } = useStore(person) ?? {};
  const claims = useReading(currentClaims(profile?.id ?? ""));
  const hasSpots = (useReading(ownSpots(profile?.id ?? "")).value ?? []).length > 0;
  const chosen = useChosen(now);
  const kept = useKept(chosen === undefined ? "" : keyOf(chosen));
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
        <Next claims={all.filter(({ id }) => !kept.drawn.includes(id))} now={now} />
      ))}
      <Park chosen={chosen} now={now} kept={kept} />
      {hasSpots && <OwnToday />}
    </div>
  );
}
