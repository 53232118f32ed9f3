import type { History } from "./history.ts";
import type { Impossible, Timed } from "./linearize.ts";
import type { Recorded } from "./recorded.ts";

const MOST_LINES = 20;

/** The last operations on one thing before, and with, the one that has no place among them. */
export function describeImpossible(
  title: string,
  operations: readonly Timed[],
  { state, stuck }: Impossible<unknown, Timed>,
  history: History,
): string {
  const lines = operations
    .filter((operation) => operation === stuck || mayHaveChangedSomething(operation))
    .filter(({ sent }) => sent < (stuck.answered ?? Number.POSITIVE_INFINITY))
    .toSorted((a, b) => a.sent - b.sent)
    .slice(-MOST_LINES)
    .map((operation) => (operation === stuck ? `> ${lineOf(stuck)}` : `  ${lineOf(operation)}`));
  const text = [
    `The history of ${title} is impossible: at no moment could the operation marked > end so.`,
    ...lines,
    `The state in which the search gave up: ${JSON.stringify(state)}`,
  ].join("\n");
  return withShortNames(text, history);
}

const isRecorded = (operation: Timed): operation is Recorded => "outcome" in operation;

const mayHaveChangedSomething = (operation: Timed): boolean =>
  isRecorded(operation) &&
  operation.outcome.result !== "refused" &&
  !operation.action.kind.startsWith("read");

/** When it was sent and answered, who did what, and what came of it. */
function lineOf(operation: Timed): string {
  if (!isRecorded(operation)) return `at the end: ${JSON.stringify(operation)}`;
  const { sent, answered, person, action, outcome } = operation;
  const { kind, ...what } = action;
  const shown = outcome.result === "happened" ? { ...outcome.body } : outcome;
  return [
    `${sent}-${answered ?? "?"} ${person}: ${kind} ${JSON.stringify(what)}`,
    `${outcome.result} ${JSON.stringify(shown, shownFields)}`,
  ].join(" ");
}

/** What the spot and the time of writing are is known. */
const shownFields = (name: string, value: unknown): unknown =>
  ["spot_id", "created_at", "updated_at", "building_section", "result"].includes(name)
    ? undefined
    : value;

/** Names people as the plan does, and the other ids by their order. */
function withShortNames(text: string, { cast }: History): string {
  const names = new Map(
    cast.people.map(({ id, isAdministrator }, i) => [
      id,
      `${isAdministrator ? "administrator" : "resident"}-${i}`,
    ]),
  );
  return text.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
    const name = names.get(id) ?? `row-${names.size - cast.people.length + 1}`;
    names.set(id, name);
    return name;
  });
}
