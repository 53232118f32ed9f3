/** What Linux says about the machine and its processes; where /proc is missing, undefined. */
import { readdirSync, readFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";

/** /proc counts processor time in hundredths of a second on every Linux (USER_HZ). */
const TICK_MS = 10;

export function describeMachine(): string {
  const [cpu] = cpus();
  const memory = (totalmem() / 2 ** 30).toFixed(0);
  const processors = `${cpus().length} × ${cpu?.model ?? "unknown processor"}`;
  return `${processors}, ${memory} GB, ${process.platform} ${release()}, Node ${process.version}`;
}

/** Milliseconds of processor time that a process has used so far. */
export const cpuOf = (pid: number): number | undefined => read(pid)?.own;

/** The same of a process and its children, also those that ended: PostgreSQL has many. */
export function cpuOfFamily(pid: number): number | undefined {
  const parent = read(pid);
  if (parent === undefined) return undefined;
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => read(Number(name)))
    .filter((it) => it?.parent === pid);
  return children.reduce(
    (total, it) => total + (it?.own ?? 0),
    parent.own + parent.ofEndedChildren,
  );
}

/** The resident memory of a process, in megabytes. */
export function memoryOf(pid: number): number | undefined {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readProc(`${pid}/status`) ?? "")?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}

/** Whose child a process is. */
export const parentOf = (pid: number): number | undefined => read(pid)?.parent;

/** The fields after the name, which stands in parentheses and may contain anything (man 5 proc). */
function read(pid: number) {
  const text = readProc(`${pid}/stat`);
  if (text === undefined) return undefined;
  const fields = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const [parent = 0, user = 0, system = 0] = [fields[1], fields[11], fields[12]];
  const [userOfEnded = 0, systemOfEnded = 0] = [fields[13], fields[14]];
  return {
    parent,
    own: (user + system) * TICK_MS,
    ofEndedChildren: (userOfEnded + systemOfEnded) * TICK_MS,
  };
}

function readProc(path: string): string | undefined {
  try {
    return readFileSync(`/proc/${path}`, "utf8");
  } catch {
    return undefined; // another system, or the process ended meanwhile
  }
}
