import { contradictions } from "../../../concurrency/consistency.ts";
import { type Impossible, linearize } from "../../../histories/linearize.ts";
import type { Span } from "../../../histories/recorded.ts";
import type { Arena } from "../../../support/arena.ts";
import { freeTimes, takenTimes } from "../../../support/free-sql.ts";
import { at, type Recorded } from "./actions.ts";
import { type Ending, readOf, shownOf, slotsOf, type Week, weekModel } from "./model.ts";
import type { WeekHistory } from "./record.ts";

const MOST_LINES = 20;

/** A request for what was there before may be refused so. */
const REFUSALS =
  /^(not_found|exceptions_fifty_at_most|claims_(of_an_availability|within_availability|one_per_availability|not_in_kept_time|closed_stay_closed))$/;

/** What cannot be about a history, given what the database has at its end, in words. */
export async function problemsOf(
  arena: Arena,
  { spot, operations }: WeekHistory,
): Promise<readonly string[]> {
  const found = operations.flatMap(({ action, outcome }) =>
    outcome.result === "happened" || (outcome.result === "refused" && REFUSALS.test(outcome.code))
      ? []
      : [`${JSON.stringify(action)} ended with ${JSON.stringify(outcome)}`],
  );
  const impossible = linearize(weekModel, [...operations, await endingOf(arena, spot.id)]);
  if (impossible) {
    found.push(described(impossible));
  }
  const wrong = await arena.rows(contradictions);
  const drifts = await arena.rows("table private.count_drifts");
  return [...found, ...[...wrong, ...drifts].map((row) => JSON.stringify(row))];
}

/** The last operations that could be, the one that could not, and what would have been seen instead. */
function described({ before, state, stuck }: Impossible<Week, Recorded | Ending>): string {
  return [
    "The history is impossible: the last line could not end so.",
    ...before.slice(-MOST_LINES).map(lineOf),
    `-> ${lineOf(stuck)}`,
    `It would have shown ${JSON.stringify(shownOf(state))}`,
    `of ${JSON.stringify(state)}`,
  ].join("\n");
}

function lineOf(operation: Recorded | Ending): string {
  if ("free" in operation) return `at the end: ${JSON.stringify(operation)}`;
  const { sent, answered, action, outcome } = operation;
  const { kind, ...what } = action;
  const shown =
    outcome.result === "happened" && kind === "read windows" ? readOf(outcome.body) : outcome;
  return `${sent}-${answered} ${kind} ${JSON.stringify(what)}: ${JSON.stringify(shown)}`;
}

async function endingOf({ superuser }: Arena, spot: string): Promise<Ending> {
  const ids = async (table: string) =>
    (
      await superuser.query<{ id: string }>(
        `select id from parking.${table} where spot_id = $1 order by id`,
        [spot],
      )
    ).rows.map(({ id }) => id);
  const spans = async (table: string, span: string) =>
    (
      await superuser.query<Span>(
        `select private.iso8601(lower(span)) as start, private.iso8601(upper(span)) as "end"
           from ${table} t, unnest(${span}) span
          where t.spot_id = $1 and upper(span) > $2`,
        [spot, at(2, 0)],
      )
    ).rows
      .flatMap(slotsOf)
      .toSorted();
  const { rows: events } = await superuser.query<{ id: string; types: string[] }>(
    `select subject_id as id, array_agg(type order by id) as types
       from private.events
      where type like 'pattern.%' and data ->> 'spot_id' = $1
      group by subject_id`,
    [spot],
  );
  return {
    sent: Number.MAX_SAFE_INTEGER - 1,
    answered: Number.MAX_SAFE_INTEGER,
    free: await spans(freeTimes, "t.free"),
    claimed: await spans(takenTimes, "array[t.takes]"),
    patterns: await ids("patterns"),
    exceptions: await ids("exceptions"),
    logged: Object.fromEntries(events.map(({ id, types }) => [id, types])),
  };
}
