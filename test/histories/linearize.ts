/** An operation, and when it was sent and answered by a clock that counts these moments. */
export interface Timed {
  readonly sent: number;
  /** Null where the outcome is unknown: it took effect at any time after it was sent, or never. */
  readonly answered: number | null;
}

/** What operations do to one thing, one after the other. */
export interface Model<State, Operation> {
  readonly start: State;
  /** The state after the operation; undefined where it could not end as it was recorded. */
  after(state: State, operation: Operation): State | undefined;
  /** Whether the operation, as it was recorded, changes no state: it read, or it was refused. */
  isReading(operation: Operation): boolean;
}

/** Where all orders of the operations fail. */
export interface Impossible<State, Operation> {
  /** The order that gets furthest, and the state after it. */
  readonly before: readonly Operation[];
  readonly state: State;
  /** The operation that has no place between its sending and its answer. */
  readonly stuck: Operation;
}

/** A history of a few hundred operations has some thousands. */
const MOST_STATES = 500_000;

/**
 * Searches an order in which the operations could have happened one after the other, each at some
 * moment between its sending and its answer. This is the search of Wing and Gong, with the memory of
 * the states it has seen that Lowe added to it.
 *
 * @returns where it fails, or undefined where there is an order
 */
export function linearize<State, Operation extends Timed>(
  { start, after, isReading }: Model<State, Operation>,
  operations: readonly Operation[],
): Impossible<State, Operation> | undefined {
  const all = momentsOf(operations);
  const path: Taken<State, Operation>[] = [];
  const visited = new Set<string>();
  let furthest: Impossible<State, Operation> | undefined;
  let unanswered = operations.filter(({ answered }) => answered !== null).length;
  let state = start;
  let done = 0n;
  let at = all.next;

  while (unanswered > 0 && at !== undefined) {
    const { operation } = at;
    if (at.isSending) {
      const next = after(state, operation);
      if (next !== undefined && isNew(visited, done | at.bit, next)) {
        path.push({ at, state, done });
        state = next;
        done |= at.bit;
        if (operation.answered !== null) unanswered -= 1;
        takeOut(at);
        at = all.next;
      } else {
        at = at.next;
      }
      continue;
    }

    // This answer came, and there was no place for its operation before it: another order, then.
    if (furthest === undefined || path.length > furthest.before.length) {
      furthest = { before: path.map((step) => step.at.operation), state, stuck: operation };
    }
    let last: Taken<State, Operation> | undefined;
    do {
      last = path.pop();
      if (last === undefined) return furthest;
      ({ state, done } = last);
      if (last.at.operation.answered !== null) unanswered += 1;
      putBack(last.at);
      // Where a reading fits, another place for it is no better.
    } while (isReading(last.at.operation));
    at = last.at.next;
  }
  return undefined;
}

/** An operation that the search has put next, and what was before it. */
interface Taken<State, Operation> {
  readonly at: Moment<Operation>;
  readonly state: State;
  readonly done: bigint;
}

function isNew<State>(visited: Set<string>, done: bigint, state: State): boolean {
  const key = `${done.toString(36)} ${JSON.stringify(state)}`;
  if (visited.has(key)) return false;
  if (visited.size === MOST_STATES) throw new Error("the history is too ambiguous to be checked");
  visited.add(key);
  return true;
}

interface Link<Operation> {
  next: Moment<Operation> | undefined;
}

/** The sending or the answer of an operation, in the list of those that are still to come. */
interface Moment<Operation> extends Link<Operation> {
  readonly operation: Operation;
  readonly isSending: boolean;
  readonly time: number;
  /** Which of the operations it is. */
  readonly bit: bigint;
  previous: Link<Operation>;
  /** The answer to a sending, if there was one. */
  answer: Moment<Operation> | undefined;
}

/** The list of all moments, in order, after a first link that is none. */
function momentsOf<Operation extends Timed>(operations: readonly Operation[]): Link<Operation> {
  const head: Link<Operation> = { next: undefined };
  const moments = operations.flatMap((operation, i) => {
    const unlinked = { operation, bit: 1n << BigInt(i), previous: head, next: undefined };
    const { sent, answered } = operation;
    const sending = { ...unlinked, isSending: true, time: sent, answer: undefined };
    if (answered === null) return [sending];
    const answer = { ...unlinked, isSending: false, time: answered, answer: undefined };
    return [{ ...sending, answer }, answer];
  });
  let last = head;
  for (const moment of moments.toSorted((a, b) => a.time - b.time)) {
    moment.previous = last;
    last.next = moment;
    last = moment;
  }
  return head;
}

/** Takes the sending of an operation and its answer out of the list. */
function takeOut<Operation>(sending: Moment<Operation>): void {
  for (const moment of [sending, sending.answer]) {
    if (moment === undefined) continue;
    moment.previous.next = moment.next;
    if (moment.next) moment.next.previous = moment.previous;
  }
}

/** Undoes `takeOut`. Both still know their neighbours; the answer went last and comes back first. */
function putBack<Operation>(sending: Moment<Operation>): void {
  for (const moment of [sending.answer, sending]) {
    if (moment === undefined) continue;
    moment.previous.next = moment;
    if (moment.next) moment.next.previous = moment;
  }
}
