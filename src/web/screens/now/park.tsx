import { addresses } from "../../../addresses.ts";
import { type Building, useBuilding } from "../../api/building.ts";
import { allSpots } from "../../api/lists.ts";
import { useReading } from "../../api/reading.ts";
import { type Text, t } from "../../messages/translate.ts";
import { Choice, Link } from "../../parts/controls.tsx";
import { lazy, withTexts } from "../../parts/lazy.tsx";
import { Empty } from "../../parts/states.tsx";
import { updateQuery, useRoute } from "../../routing.ts";
import { formatNear, formatNearMoment } from "../../time/format.ts";
import { dateOf, HOUR, iso, momentIn, type Span, timeZone } from "../../time/zone.ts";
import { soonest, usualEnd } from "../claim/times.ts";
import { Free } from "./free.tsx";
import type { Pinned } from "./row.tsx";
import { spanOf, type Wanted, type When, whens } from "./spans.ts";

const Times = lazy(async () => (await withTexts(import("./times.tsx"), "claims")).Times);

/** Loaded later, because most people choose once. */
const SectionChoice = lazy(async () => (await import("./section-choice.tsx")).SectionChoice, null);

/** The time is in the address, to be stored and sent. */
interface Chosen extends Wanted {
  readonly name: When | "other";
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
  return end === undefined ? undefined : { name: "other", start, end };
}

/** The names of times that still exist: if the notice is long, no evening is left today. */
const useNames = (now: number): readonly When[] => {
  const building = useBuilding();
  return whens.filter((when) => named(when, now, building) !== undefined);
};

/** A named time moves with the present, and the next tomorrow is another day. */
export function keyOf({ name, start, end }: Chosen): string {
  if (name === "other") return `${start} ${end}`;
  return name === "tomorrow" ? `${name} ${dateOf(start, timeZone())}` : name;
}

const choose = (when: When): void =>
  updateQuery({ when: when === "now" ? undefined : when, start: undefined, end: undefined });

const timesOf = ({ start, end }: Span) => ({ when: undefined, start: iso(start), end: iso(end) });

interface ParkProperties {
  readonly chosen: Chosen | undefined;
  readonly now: number;
  readonly pinned: Pinned;
}

/** Search for a spot: now, at a named time, or at any other time. */
export function Park({ chosen, now, pinned }: ParkProperties) {
  const spots = useReading(allSpots).value ?? [];
  return (
    <section class="park stack" aria-labelledby="park">
      <div class="park-head">
        <h2 id="park">{t("now.park")}</h2>
        <SectionChoice spots={spots} />
      </div>
      {chosen === undefined ? <Astray /> : <At chosen={chosen} now={now} pinned={pinned} />}
    </section>
  );
}

function At({ chosen, now, pinned }: ParkProperties & { readonly chosen: Chosen }) {
  const names = useNames(now);
  const { name, start, end, until = end } = chosen;
  const isOther = name === "other";
  const isSoon = name !== "now" || start - now < HOUR / 2;
  const options: readonly (readonly [Chosen["name"], Text])[] = [
    ...names.map((when) => [when, t(`now.${when}`)] as const),
    ["other", t("now.other")],
  ];
  return (
    <>
      <Choice
        label="now.when"
        value={name}
        options={options}
        choose={(option) => (option === "other" ? updateQuery(timesOf(chosen)) : choose(option))}
      />
      {isOther ? (
        <Times
          start={start}
          end={end}
          choose={(span) => updateQuery(timesOf(span), { replace: true })}
        />
      ) : (
        <p class="near quiet">
          {formatNear(start, end, now)}
          {until > end && t("now.orUntil", { until: formatNearMoment(until, now) })}
        </p>
      )}
      {!isSoon && <p class="notice">{t("now.notice", { from: formatNearMoment(start, now) })}</p>}
      {start < end ? (
        <Free
          key={isOther ? name : keyOf(chosen)}
          wanted={chosen}
          isNow={name === "now"}
          now={now}
          pinned={pinned}
        />
      ) : (
        <Empty title="find.endBeforeStart" />
      )}
    </>
  );
}

const Astray = () => (
  <Empty
    title="now.noSuchTime"
    actions={<Link href={addresses.now} class="button main-action" text="now.back" />}
  />
);
