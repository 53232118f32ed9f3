import { addresses } from "../../../addresses.ts";
import { type Building, useBuilding } from "../../api/building.ts";
import { type Text, t } from "../../messages/translate.ts";
import { Choice } from "../../parts/choice.tsx";
import { lazy } from "../../parts/lazy.tsx";
import { Link } from "../../parts/link.tsx";
import { Empty } from "../../parts/states.tsx";
import { updateQuery, useRoute } from "../../routing.ts";
import { formatNear, formatNearMoment } from "../../time/format.ts";
import { dateOf, HOUR, iso, momentIn, type Span, timeZone } from "../../time/zone.ts";
import { soonest, usualEnd } from "../claim/times.ts";
import { Free } from "./free.tsx";
import type { Pinned } from "./row.tsx";
import { spanOf, type When, whens } from "./spans.ts";

const Times = lazy(async () => (await import("./times.tsx")).Times);

/** The time for which a person looks for a spot. It is in the address, to be stored and sent. */
interface Chosen extends Span {
  readonly name: When | "until";
}

/** Undefined if the address has times that do not exist. */
export function useChosen(now: number): Chosen | undefined {
  const { query } = useRoute();
  const building = useBuilding();
  if (query.start || query.end) return typed(query, now, building);
  const name = whens.find((when) => when === query.when) ?? "now";
  return named(name, now, building) ?? named("now", now, building);
}

function named(name: When, now: number, building: Building): Chosen | undefined {
  const span = spanOf(name, now, building, timeZone());
  return span && { name, ...span };
}

function typed(
  query: Readonly<Record<string, string>>,
  now: number,
  building: Building,
): Chosen | undefined {
  const start = query.start ? momentIn(query.start) : soonest(now, building);
  if (start === undefined) return undefined;
  const end = query.end ? momentIn(query.end) : usualEnd(start, building);
  return end === undefined ? undefined : { name: "until", start, end };
}

/** The names of times that still exist: if the notice is long, no evening is left today. */
const useNames = (now: number): readonly When[] => {
  const building = useBuilding();
  return whens.filter((when) => named(when, now, building) !== undefined);
};

/** A named time moves with the present, and the next tomorrow is another day. */
export function keyOf({ name, start, end }: Chosen): string {
  if (name === "until") return `${start} ${end}`;
  return name === "tomorrow" ? `${name} ${dateOf(start, timeZone())}` : name;
}

const choose = (when: When): void =>
  updateQuery({ when: when === "now" ? undefined : when, start: undefined, end: undefined });

const chooseTimes = ({ start, end }: Span): void =>
  updateQuery({ when: undefined, start: iso(start), end: iso(end) });

interface ParkProperties {
  readonly chosen: Chosen | undefined;
  readonly now: number;
  readonly pinned: Pinned;
}

/** Search for a spot: now, at a named time, or at any other time. */
export function Park({ chosen, now, pinned }: ParkProperties) {
  return (
    <section class="park stack" aria-labelledby="park">
      <h2 id="park">{t("now.park")}</h2>
      {chosen === undefined ? <Astray /> : <At chosen={chosen} now={now} pinned={pinned} />}
    </section>
  );
}

function At({ chosen, now, pinned }: ParkProperties & { readonly chosen: Chosen }) {
  const names = useNames(now);
  const { name, start, end } = chosen;
  const isSoon = name !== "now" || start - now < HOUR / 2;
  const options: readonly (readonly [Chosen["name"], Text])[] = [
    ...names.map((when) => [when, t(`now.${when}`)] as const),
    ["until", t("now.until")],
  ];
  return (
    <>
      <Choice
        label="now.when"
        value={name}
        options={options}
        choose={(option) => (option === "until" ? chooseTimes(chosen) : choose(option))}
      />
      {name === "until" ? (
        <Times key={`${start} ${end}`} start={start} end={end} choose={chooseTimes} />
      ) : (
        <p class="near quiet">{formatNear(start, end, now)}</p>
      )}
      {!isSoon && <p class="notice">{t("now.notice", { from: formatNearMoment(start, now) })}</p>}
      {start < end ? (
        <Free key={keyOf(chosen)} start={start} end={end} now={now} pinned={pinned} />
      ) : (
        <Empty title="find.endBeforeStart" />
      )}
    </>
  );
}

const Astray = () => (
  <Empty
    title="now.noSuchTime"
    actions={
      <Link href={addresses.now} class="button main-action">
        {t("now.back")}
      </Link>
    }
  />
);
