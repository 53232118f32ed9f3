import { DatabaseError } from "pg";
import { type Logger, pino } from "pino";
import { logOutput } from "./output.ts";

export type { Logger };

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** Writes JSON lines to standard output, for log collectors. */
export const createLogger = (level: LogLevel): Logger =>
  pino(
    {
      level,
      base: null,
      messageKey: "message",
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    logOutput,
  );

/**
 * The details that help to find a fault, without PostgreSQL's DETAIL and context, which contain
 * people's data.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name: type, message, stack } = error;
  if (!(error instanceof DatabaseError)) return { type, message, stack };
  const { code, constraint, table, routine } = error;
  return { type, message, code, constraint, table, routine, stack };
}
