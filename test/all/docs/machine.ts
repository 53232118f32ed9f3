import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { projectFolder } from "../../../src/project-folder.ts";

/** A shell on a machine of its own (machine.sh), with the project in /opt/parking. */
export interface Machine extends AsyncDisposable {
  /** Runs commands as a person pastes them, one text after the other, in one shell. */
  run(script: string): Promise<Outcome>;
}

export interface Outcome {
  readonly output: string;
  /** The last command that failed, or nothing. */
  readonly failed: string;
}

const UNSHARE = ["--mount", "--net", "--pid", "--fork", "--kill-child"];

/** Only root may make one, and not in every container. */
export const canMakeMachine = (): boolean =>
  spawnSync("unshare", [...UNSHARE, "true"]).status === 0;

export function startMachine(): Machine {
  const args = [...UNSHARE, "bash", `${import.meta.dirname}/machine.sh`, projectFolder];
  const shell = spawn("unshare", args, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(shell, "exit");
  const lines = createInterface({ input: shell.stdout })[Symbol.asyncIterator]();
  const decoded = (text = "") => Buffer.from(text, "base64").toString();
  let count = 0;
  return {
    async run(script) {
      // What goes on in the background writes into the file of its own script.
      const file = `/tmp/script-${++count}`;
      shell.stdin.write(`base64 -d >${file} <<<"${Buffer.from(script).toString("base64")}"
output=${file}.output failed=; trap 'failed=$BASH_COMMAND' ERR
. ${file} </dev/null >${file}.output 2>&1
trap - ERR; echo "$(base64 -w0 ${file}.output) $(base64 -w0 <<<"$failed")"\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`the shell ended at: ${script}`);
      const [output, failed] = value.split(" ").map(decoded);
      return { output: output ?? "", failed: (failed ?? "").trim() };
    },
    async [Symbol.asyncDispose]() {
      shell.kill("SIGKILL");
      await ended;
    },
  };
}
