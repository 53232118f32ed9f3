import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { bundle } from "../../../src/pages/bundle.ts";

/** The processes that this one started and that run this program. */
const children = (program: string): readonly number[] =>
  readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8")
    .trim()
    .split(" ")
    .filter((pid) => pid !== "" && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(program))
    .map(Number);

describe("the bundler", () => {
  it("bundles again after its process died", async () => {
    const failing = bundle();
    const [pid, ...others] = children("esbuild");
    expect(others).toEqual([]);
    process.kill(Number(pid), "SIGKILL");
    await expect(failing).rejects.toThrow("The service was stopped");

    const names = [...(await bundle()).keys()];
    expect(names).toContainEqual(expect.stringMatching(/^main\.\w+\.js$/));
  });
});
