import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "@jest/globals";
import { projectFolder } from "../../../src/project-folder.ts";
import { useBuilding } from "../../support/building.ts";
import { startProgram } from "../../support/program.ts";

/** Starts a program that has a logger; its output goes where a shell sends it. */
function run(program: string, redirection = "") {
  const setUp = `
    import { createLogger } from "./src/log/logger.ts";
    const logger = createLogger("info");`;
  const args = [process.execPath, "--input-type=module", "--eval", setUp + program];
  return spawn("sh", ["-c", `exec "$0" "$@" ${redirection}`, ...args], {
    cwd: projectFolder,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** What a program writes that logs the lines 0 to 999 at once and then does this. */
async function linesBefore(end: string): Promise<readonly string[]> {
  const child = run(`for (let i = 0; i < 1000; i++) logger.info(String(i)); ${end}`);
  const lines = (await text(child.stdout)).trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line).message);
}

const all = Array.from({ length: 1000 }, (_, i) => String(i));

describe("every line of the log is written", () => {
  it.each([
    ["at the end of the process", ""],
    ["before process.exit()", "process.exit(1)"],
    ["before an error that nobody catches ends the process", "throw new Error()"],
    ["before a promise that nobody catches ends the process", "await Promise.reject(new Error())"],
    [
      "before such a promise elsewhere ends the process",
      "Promise.reject(new Error()); setInterval(() => {}, 1000)",
    ],
    [
      "before SIGTERM ends a process that has its own way to stop",
      "process.on('SIGTERM', () => process.exit()); process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000)",
    ],
    [
      "a moment later, so that SIGKILL then loses none",
      "setTimeout(() => process.kill(process.pid, 'SIGKILL'), 1000)",
    ],
  ])("%s", async (_case, end) => {
    expect(await linesBefore(end)).toEqual(all);
  });
});

it("a warning is written at once, with all lines before it", async () => {
  const end = "logger.warn('trouble'); process.kill(process.pid, 'SIGKILL')";

  expect(await linesBefore(end)).toEqual([...all, "trouble"]);
});

it("lines of a busy moment are written together: SIGKILL loses the last of them", async () => {
  const lines = await linesBefore("process.kill(process.pid, 'SIGKILL')");

  expect(all.slice(0, lines.length)).toEqual(lines);
  expect(lines.length).toBeLessThan(all.length);
});

/** Logs as one that nobody hears: a warning each time, and then it says so. */
const MANY_WARNINGS =
  'for (let i = 0; i < 20_000; i++) logger.warn("trouble"); console.error("alive");';

it.each([
  [
    "on a full disk",
    "> /dev/full",
    "The log cannot be written, and lines are lost: ENOSPC: no space left on device, write\nalive\n",
  ],
  [
    "where its reader has gone",
    "",
    "The log cannot be written, and lines are lost: EPIPE: broken pipe, write\nalive\n",
  ],
  ["where its reader reads nothing any more", "", "alive\n"],
  ["where its reader reads nothing any more and process.exit() ends it", "", "alive\n"],
])(
  "a log that cannot be written does not stop the program %s",
  async (where, redirection, said) => {
    const end = where.includes("exit()") ? " process.exit();" : "";
    const child = run(MANY_WARNINGS + end, redirection);
    if (where.endsWith("gone")) child.stdout.destroy();
    const ended = once(child, "exit");
    expect(await text(child.stderr)).toBe(said);
    expect(await ended).toEqual([0, null]);
  },
);

it("a reader that reads again gets whole lines, and the number of those that were dropped", async () => {
  const child = run(`${MANY_WARNINGS} setInterval(() => {}, 1000);`);
  await once(child.stderr, "data");
  const lines: Readonly<Record<string, unknown>>[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(JSON.parse(line));
    if (lines.at(-1)?.message !== "trouble") child.kill();
  }

  const written = lines.filter(({ message }) => message === "trouble").length;
  expect(written).toBeGreaterThan(0);
  const time = expect.any(String);
  const message = "lines of the log were dropped";
  expect(lines.slice(written)).toEqual([{ level: "warn", time, count: 20_000 - written, message }]);
});

const building = useBuilding();

it("a service whose log is on a full disk starts, answers and stops", async () => {
  const command = ["sh", "-c", 'exec "$0" "$@" > /dev/full', process.execPath] as const;
  const program = await startProgram(building, { LOG_LEVEL: "trace" }, [], command);

  expect((await fetch(`${program.origin}/livez`)).status).toBe(200);
  await program.stop();
});

it("a service that SIGTERM stops has logged every request that it answered", async () => {
  const program = await startProgram(building, { LOG_LEVEL: "info" });
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => fetch(`${program.origin}/nowhere`)),
  );
  await Promise.all(answers.map((answer) => answer.text()));
  await program.stop();

  const logged = program.log.flatMap((line) => JSON.parse(line).requestId ?? []);
  const answered = answers.map(({ headers }) => headers.get("X-Request-Id"));
  expect(logged.toSorted()).toEqual(answered.toSorted());
});
