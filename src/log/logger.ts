import { DatabaseError } from "pg";
import { type LogFn, type Logger, pino } from "pino";
import { flushSoon, logOutput } from "./output.ts";

export type { Logger };

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** JSON lines on standard output, as log collectors read them. */
export const createLogger = (level: LogLevel): Logger =>
  pino(
    {
      level,
      base: null,
      messageKey: "message",
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
      hooks: { logMethod: logAndFlush },
    },
    logOutput,
  );

const { warn = 0 } = pino.levels.values;

/** A warning, or worse, is written at once, with all lines before it. */
function logAndFlush(this: Logger, args: Parameters<LogFn>, method: LogFn, level: number): void {
  method.apply(this, args);
  if (level >= warn) logOutput.flush();
  else flushSoon();
}

/** What helps to find a fault. Not PostgreSQL's DETAIL and context: they contain people's data. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name: type, message, stack } = error;
  if (!(error instanceof DatabaseError)) return { type, message, stack };
  const { code, constraint, table, routine } = error;
  return { type, message, code, constraint, table, routine, stack };
}
