import { useState } from "preact/hooks";
import { building } from "../../api/building.ts";
import { allSpots, windowsBetween } from "../../api/lists.ts";
import { person } from "../../api/person.ts";
import { useReading } from "../../api/reading.ts";
import type { Spot } from "../../api/resources.ts";
import { allSections, limitsIn } from "../../api/sections.ts";
import { plain, t } from "../../messages/translate.ts";
import { SpanFields, spanOf, typedSpan } from "../../parts/span-fields.tsx";
import { Empty, whenRead } from "../../parts/states.tsx";
import { updateQuery, useRoute } from "../../routing.ts";
import { useStore } from "../../store.ts";
import { useNow } from "../../time/clock.ts";
import { formatSpan } from "../../time/format.ts";
import { HOUR, momentIn, type Span } from "../../time/zone.ts";
import { openClaimForm } from "../claim/address.ts";
import { soonest } from "../claim/times.ts";
import { type Result, resultsOf } from "./results.ts";
import { Wait } from "./wait.tsx";

/** What is proposed to somebody who wants to park now. */
const USUALLY = 2 * HOUR;

/** Which spots are free from one moment until another. */
export function Find() {
  const now = useNow();
  const { query } = useRoute();
  const [begin] = useState(() => soonest(Date.now(), building.get()));
  const start = momentIn(query.start) ?? begin;
  const end = momentIn(query.end) ?? start + USUALLY;
  return (
    <div class="stack">
      <Search key={`${start} ${end}`} start={start} end={end} />
      {start < end ? (
        <>
          <Results start={start} end={end} now={now} />
          {start > now && <Wait key={`wait ${start} ${end}`} start={start} end={end} now={now} />}
        </>
      ) : (
        <Empty title={t("find.endBeforeStart")} />
      )}
    </div>
  );
}

function Search({ start, end }: Span) {
  const [typed, setTyped] = useState(() => typedSpan({ start, end }));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const span = spanOf(typed);
    if (span === undefined) return;
    updateQuery({
      start: new Date(span.start).toISOString(),
      end: new Date(span.end).toISOString(),
    });
  };
  return (
    <form class="card form narrow" onSubmit={submit}>
      <SpanFields value={typed} change={setTyped} />
      <div class="actions">
        <button type="submit" class="main-action">
          {t("find.find")}
        </button>
      </div>
    </form>
  );
}

function Results({ start, end, now }: Span & { readonly now: number }) {
  const { profile } = useStore(person) ?? {};
  const spots = useReading(allSpots);
  const windows = useReading(windowsBetween(start, end));
  const sections = useReading(allSections);
  const all =
    spots.value && windows.value && sections.value
      ? { value: { spots: spots.value, windows: windows.value, sections: sections.value } }
      : { error: spots.error ?? windows.error ?? sections.error };
  return (
    <div class="stack" aria-live="polite">
      {whenRead(all, ({ spots, windows, sections }) => {
        const earliest = (spot: Spot) => soonest(now, limitsIn(spot.building_section, sections));
        const results = resultsOf(windows, spots, { start, end }, profile?.id ?? "", earliest);
        if (results.length === 0) {
          return <Empty title={t("find.nothing")} text={t("find.nothingText")} />;
        }
        const whole = results.filter(({ isWhole }) => isWhole);
        const parts = results.filter(({ isWhole }) => !isWhole);
        return (
          <>
            <section class="stack">
              <h2>
                {whole.length > 0 ? t("find.whole", { count: whole.length }) : t("find.noneWhole")}
              </h2>
              <p class="quiet">{formatSpan(start, end)}</p>
              {whole.length > 0 && <ul class="cards">{whole.map(card)}</ul>}
            </section>
            {parts.length > 0 && (
              <section class="stack">
                <h2>{t("find.parts")}</h2>
                <ul class="cards">{parts.map(card)}</ul>
              </section>
            )}
          </>
        );
      })}
    </div>
  );
}

const card = ({ window, spot, start, end, isWhole }: Result) => (
  <li key={window.id} class="card line-card">
    <div>
      <strong>{plain(spot.spot_number)}</strong>
      <span class="quiet">{plain(` ${spot.building_section}`)}</span>
      <p class={isWhole ? "quiet small" : "small"}>
        {isWhole
          ? t("find.window", { span: formatSpan(window.start_time, window.end_time) })
          : formatSpan(start, end)}
      </p>
    </div>
    <button
      type="button"
      class={isWhole ? "main-action" : ""}
      aria-label={t("claim.title", { spot: spot.spot_number })}
      onClick={() => openClaimForm(window.id, start, end)}
    >
      {t("claim.claim")}
    </button>
  </li>
);
