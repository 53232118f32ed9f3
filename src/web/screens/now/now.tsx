import { currentClaims } from "../../api/own-claims.ts";
import { person } from "../../api/person.ts";
import { useReading } from "../../api/reading.ts";
import { Loading, whenRead } from "../../parts/states.tsx";
import { useStore } from "../../store.ts";
import { useNow } from "../../time/clock.ts";
import { useChosen } from "./chosen.ts";
import { useKept } from "./kept.ts";
import { Next } from "./next.tsx";
import { OwnToday } from "./own-today.tsx";
import { Park } from "./park.tsx";

/** Where the person parks, where they could park, and what their own spots do. */
export function Now() {
  const now = useNow();
  const { profile } = useStore(person) ?? {};
  const claims = useReading(currentClaims(profile?.id ?? ""));
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
      <OwnToday ownerId={profile?.id ?? ""} now={now} />
    </div>
  );
}

/** What has a name moves on with the present. */
const keyOf = ({ name, start, end }: NonNullable<ReturnType<typeof useChosen>>): string =>
  name === "until" ? `${start} ${end}` : name;
