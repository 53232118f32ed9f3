import { useState } from "preact/hooks";
import { addresses } from "../../../addresses.ts";
import { type Text, t } from "../../messages/translate.ts";
import { Choice } from "../../parts/choice.tsx";
import { Link } from "../../parts/link.tsx";
import { SpanFields } from "../../parts/span-fields.tsx";
import { Empty } from "../../parts/states.tsx";
import { spanOf, typedSpan } from "../../parts/typed-span.ts";
import { formatNear, formatNearMoment } from "../../time/near.ts";
import { HOUR, type Span } from "../../time/zone.ts";
import { type Chosen, choose, chooseTimes, keyOf, useNames } from "./chosen.ts";
import { Free } from "./free.tsx";
import type { Kept } from "./kept.ts";

interface ParkProperties {
  readonly chosen: Chosen | undefined;
  readonly now: number;
  readonly kept: Kept;
}

/** Search for a spot: now, at a named time, or at any other time. */
export function Park({ chosen, now, kept }: ParkProperties) {
  return (
    <section class="park stack" aria-labelledby="park">
      <h2 id="park">{t("now.park")}</h2>
      {chosen === undefined ? <Astray /> : <At chosen={chosen} now={now} kept={kept} />}
    </section>
  );
}

function At({ chosen, now, kept }: ParkProperties & { readonly chosen: Chosen }) {
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
        label={t("now.when")}
        value={name}
        options={options}
        choose={(option) => (option === "until" ? chooseTimes(chosen) : choose(option))}
      />
      {name === "until" ? (
        <Times key={`${start} ${end}`} start={start} end={end} />
      ) : (
        <p class="near quiet">{formatNear(start, end, now)}</p>
      )}
      {!isSoon && <p class="notice">{t("now.notice", { from: formatNearMoment(start, now) })}</p>}
      {start < end ? (
        <Free key={keyOf(chosen)} start={start} end={end} now={now} kept={kept} />
      ) : (
        <Empty title={t("find.endBeforeStart")} />
      )}
    </>
  );
}

function Times({ start, end }: Span) {
  const [typed, setTyped] = useState(() => typedSpan({ start, end }));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const span = spanOf(typed);
    if (span !== undefined) chooseTimes(span);
  };
  return (
    <form class="form" onSubmit={submit}>
      <SpanFields value={typed} change={setTyped} />
      <div class="actions">
        <button type="submit">{t("find.find")}</button>
      </div>
    </form>
  );
}

/** Shown if the address has times that do not exist. */
const Astray = () => (
  <Empty
    title={t("now.noSuchTime")}
    actions={
      <Link href={addresses.now} class="button main-action">
        {t("now.back")}
      </Link>
    }
  />
);
