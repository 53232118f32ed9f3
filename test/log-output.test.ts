import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { projectFolder } from "../src/project-folder.ts";
import { type Building, openBuilding } from "./support/building.ts";
import { startProgram } from "./support/program.ts";

/** What a program writes that logs the lines 0 to 999 at once and then does this. */
async function linesBefore(end: string): Promise<readonly string[]> {
  const program = `
    import { createLogger } from "./src/log.ts";
    const logger = createLogger("info");
    for (let i = 0; i < 1000; i++) logger.info(String(i));
    ${end}`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: projectFolder,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const lines = (await text(child.stdout)).trimEnd().split("\n");
  // What is left at the end of a process may overtake what is being written.
  return lines.map((line) => JSON.parse(line).message).toSorted();
}

const all = Array.from({ length: 1000 }, (_, i) => String(i)).toSorted();

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

  expect(all).toEqual(expect.arrayContaining([...lines]));
  expect(lines.length).toBeLessThan(all.length);
});

describe("a service that SIGTERM stops", () => {
  let building: Building;
  beforeAll(async () => {
    building = await openBuilding();
  });
  afterAll(() => building.close());

  it("has logged every request that it answered", async () => {
    const program = await startProgram(building, { LOG_LEVEL: "info" });
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => fetch(`${program.origin}/livez`)),
    );
    await Promise.all(answers.map((answer) => answer.text()));
    await program.stop();

    const logged = program.log.map((line) => JSON.parse(line).requestId);
    const answered = answers.map(({ headers }) => headers.get("X-Request-Id"));
    expect(logged.toSorted()).toEqual(answered.toSorted());
  });
});
