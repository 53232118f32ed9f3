import { clientLeft, overloaded } from "../../errors/problem.ts";

/** Lets operations run a few at a time. */
export interface Queue {
  /**
   * Runs the work when there is room for it.
   *
   * @param caller who asks; one caller never has all the room
   * @param left aborted when the client is gone; its work is then not begun
   * @throws Problem 503, at once where the queue is full
   */
  run<T>(caller: string, left: AbortSignal, work: () => Promise<T>): Promise<T>;
}

export interface QueueLimits {
  readonly running: number;
  readonly runningOfOne: number;
  readonly waiting: number;
  readonly waitingOfOne: number;
  readonly longestWaitMs: number;
}

interface Waiter {
  readonly caller: string;
  start(): void;
}

const queues = new Set<ReadonlySet<Waiter>>();

/** How many wait in all queues of the process. */
export const waitingOperations = (): number =>
  [...queues].reduce((total, waiting) => total + waiting.size, 0);

export function createQueue(limits: QueueLimits): Queue {
  const running: string[] = [];
  const waiting = new Set<Waiter>();
  queues.add(waiting);

  const runningOf = (caller: string) => running.filter((it) => it === caller).length;
  const waitingOf = (caller: string) => [...waiting].filter((it) => it.caller === caller).length;
  const hasRoomFor = (caller: string) =>
    running.length < limits.running && runningOf(caller) < limits.runningOfOne;

  function leave(caller: string): void {
    running.splice(running.indexOf(caller), 1);
    for (const waiter of waiting) {
      if (!hasRoomFor(waiter.caller)) continue;
      waiting.delete(waiter);
      running.push(waiter.caller);
      waiter.start();
    }
  }

  function wait(caller: string, left: AbortSignal): Promise<void> {
    if (waiting.size >= limits.waiting || waitingOf(caller) >= limits.waitingOfOne) {
      throw overloaded("too many operations wait");
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter = { caller, start: resolve };
    waiting.add(waiter);
    const tooLong = AbortSignal.timeout(limits.longestWaitMs);
    AbortSignal.any([left, tooLong]).addEventListener("abort", () => {
      if (waiting.delete(waiter))
        reject(left.aborted ? clientLeft() : overloaded("the operations before it took too long"));
    });
    return promise;
  }

  return {
    async run(caller, left, work) {
      if (left.aborted) throw clientLeft();
      if (hasRoomFor(caller)) running.push(caller);
      else await wait(caller, left);
      try {
        return await work();
      } finally {
        leave(caller);
      }
    },
  };
}
