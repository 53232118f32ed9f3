import { readFileSync } from "node:fs";
import { GCProfiler } from "node:v8";

/** Only Linux says how long another process has used a processor. */
export const knowsProcessorTime = process.platform === "linux";

/**
 * The milliseconds for which a backend has used a processor. The time on the clock would count what
 * Node does while an answer waits for it, and what else the machine does.
 */
export function processorTimeOf(pid: number): number {
  if (!knowsProcessorTime) return 0;
  try {
    // https://docs.kernel.org/scheduler/sched-stats.html
    const [nanoseconds] = readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ");
    return Number(nanoseconds) / 1e6;
  } catch {
    return Number.POSITIVE_INFINITY; // it was ended because it took too long
  }
}

/** Begins to count the bytes that are put on the heap, also those that are garbage by then. */
export function countAllocations(): () => number {
  const profiler = new GCProfiler();
  profiler.start();
  const before = process.memoryUsage().heapUsed;
  return () => {
    const grown = process.memoryUsage().heapUsed - before;
    const collected = profiler
      .stop()
      .statistics.map(
        ({ beforeGC, afterGC }) =>
          beforeGC.heapStatistics.usedHeapSize - afterGC.heapStatistics.usedHeapSize,
      );
    return collected.reduce((total, bytes) => total + bytes, grown);
  };
}
