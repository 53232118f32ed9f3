import { jest } from "@jest/globals";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

export interface Clock {
  /** In milliseconds since 1970; a millisecond past a full second when stopped. */
  now(): number;
  pass(milliseconds: number): Promise<void>;
  /** As somebody sets the clock of the machine on which the service runs; no time passes. */
  set(milliseconds: number): void;
  goOn(): void;
}

/** Runs a statement as the owner of the database that counts. */
type Run = (sql: string) => Promise<unknown>;

/** Stops the clocks of the windows. Token verifiers made earlier keep the real one. */
export async function stopClock(run: Run = async () => {}): Promise<Clock> {
  let now = Math.floor(Date.now() / SECOND) * SECOND + 1;
  const start = { wall: now, monotonic: Math.ceil(performance.now()) };
  let isSetBy = 0;
  const spies = [
    jest.spyOn(Date, "now").mockImplementation(() => now + isSetBy),
    jest.spyOn(performance, "now").mockImplementation(() => start.monotonic + now - start.wall),
  ];
  await setClock(run, now);
  await run(followSetClock);
  return {
    now: () => now,
    async pass(milliseconds) {
      now += milliseconds;
      await setClock(run, now);
    },
    set: (milliseconds) => {
      isSetBy = milliseconds;
    },
    goOn: () => {
      for (const spy of spies) spy.mockRestore();
    },
  };
}

const setClock = (run: Run, now: number): Promise<unknown> =>
  run(`create or replace function private.set_clock() returns timestamptz
         language sql
         return to_timestamp(${now} / 1000.0)`);

/** The functions that count are the real ones in all but their clock. */
const followSetClock = `
  do $$
  declare
    v_function regproc;
  begin
    foreach v_function in array '{private.charge_rate_limits, private.is_open}'::regproc[] loop
      execute replace(
        pg_get_functiondef(v_function),
        'clock_timestamp()',
        'private.set_clock()'
      );
    end loop;
  end $$`;
