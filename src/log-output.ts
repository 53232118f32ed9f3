import { pino, symbols } from "pino";

/** As much is written without waiting for more: some twenty lines. */
const FULL = 4096;

/** The longest that a line waits. */
const LONGEST_WAIT_MS = 100;

/** A warning, or worse. */
const URGENT = pino.levels.values.warn ?? 0;

/**
 * Writes beside the requests, so that a collector that does not read cannot stop them; and what is
 * left at the end of the process, also by process.exit() or by an error that nobody caught.
 */
const output = pino.destination({ dest: 1, sync: false, minLength: FULL });

let pause: NodeJS.Timeout | undefined;

/**
 * Standard output for lines of the log. One write costs more than the rest of a small request, so
 * the lines of a busy moment are written together. A line after a pause is written at once; so is
 * a warning or worse, with all lines before it.
 */
export const logOutput = {
  [symbols.needsMetadataGsym]: true,
  /** Set by pino before each line. */
  lastLevel: 0,

  write(line: string): void {
    output.write(line);
    if (this.lastLevel >= URGENT) output.flushSync();
    if (pause !== undefined) return;
    output.flush();
    pause = setTimeout(endPause, LONGEST_WAIT_MS).unref();
  },
};

function endPause(): void {
  pause = undefined;
  output.flush();
}
