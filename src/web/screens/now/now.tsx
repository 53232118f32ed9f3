import { ownSpots } from "../../api/lists.ts";
import { currentClaims } from "../../api/own-claims.ts";
import { person } from "../../api/person.ts";
import { useReading } from "../../api/reading.ts";
import { lazy } from "../../parts/lazy.tsx";
import { Loading, whenRead } from "../../parts/states.tsx";
import { useStore } from "../../store.ts";
import { useNow } from "../../time/clock.ts";
import { useChosen } from "./chosen.ts";
import { useKept } from "./kept.ts";
import { Next } from "./next.tsx";
import { Park } from "./park.tsx";

/** Most residents have no spot. */
const OwnToday = lazy(async () => (await import("./own.tsx")).OwnToday);

/** Where the person parks, where they could park, and what their own spots do. */
export function Now() {
  const now = useNow();
  const { profile } = useStore(person) ?? {};
  const claims = useReading(currentClaims(profile?.id ?? ""));
  const hasSpots = (useReading(ownSpots(profile?.id ?? "")).value ?? []).length > 0;
  const chosen = useChosen(now);
  const kept = useKept(chosen === undefined ? "" : keyOf(chosen));
  // Together, so that nothing is pushed down by what comes later.
  if (claims.value === undefined && claims.error === undefined) return <Loading />;
  // What was claimed here just now stands in its row.
  const isInRow = new Set(kept.rows.map(({ claim }) => claim?.id));
  return (
    <div class="now-screen">
      {whenRead(claims, (all) => (
        <Next claims={all.filter(({ id }) => !isInRow.has(id))} now={now} />
      ))}
      <Park chosen={chosen} now={now} kept={kept} />
      {hasSpots && <OwnToday />}
    </div>
  );
}

/** What has a name moves on with the present. */
const keyOf = ({ name, start, end }: NonNullable<ReturnType<typeof useChosen>>): string =>
  name === "until" ? `${start} ${end}` : name;
