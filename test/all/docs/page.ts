import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { projectFolder } from "../../../src/project-folder.ts";
import { until } from "../../support/waiting.ts";
import { type Block, blocksOf } from "./blocks.ts";
import { canMakeMachine, type Machine, startMachine } from "./machine.ts";
import { isAsPrinted, readable } from "./output.ts";

/** What a test adds to a page, which is the program. A block is named by a piece of its text. */
export interface PageOptions {
  /** Commands that make what the page presupposes. */
  readonly before?: string;
  /** What stands in the page for something that differs, and what it is here. */
  readonly here?: Readonly<Record<string, string>>;
  /** Blocks that cannot run here, and why. */
  readonly notHere?: Readonly<Record<string, string>>;
  /** The commands that print what no command before it on the page prints. */
  readonly printedBy?: Readonly<Record<string, string>>;
  /** What others do, or the page says in prose, before a block. */
  readonly first?: Readonly<Record<string, string>>;
  /** Commands that do not end by themselves, and the block before which they are interrupted. */
  readonly endless?: Readonly<Record<string, string>>;
  /** How psql is called, as the role $as. */
  readonly psql?: string;
}

/** A block may run commands that each start PostgreSQL; only a failing test waits for it. */
const PATIENCE_MS = 600_000;

/** Settings are read as by the service, on top of those that it needs. */
const CONFIGURED = `env -i NODE_ENV=production DATABASE_URL=postgres://a@b/c AUTH_ISSUER=https://d AUTH_AUDIENCE=e \\
  node_modules/.bin/node --env-file=/dev/stdin -e 'import("./src/config/config.ts").then((it) => it.readServiceConfig(process.env))'`;

/**
 * Runs a page's blocks in order, on a machine of its own, and compares what they print. `sh` is
 * pasted into the shell, `sql as=<role>` into psql, and `env` is read by the service. `file=` is a
 * file of the project, or one to be written. A block right after a command is its output.
 */
export function describePage(page: string, options: PageOptions = {}): void {
  const { before = "", here = {}, notHere = {}, printedBy = {}, endless = {} } = options;
  const { first = {}, psql = 'psql -d "$(npm run -s db:url -- $as)"' } = options;
  const blocks = blocksOf(page);
  const find = <T>(named: Readonly<Record<string, T>>, { text }: Block): T | undefined =>
    Object.entries(named).find(([piece]) => text.includes(piece))?.[1];
  const asHere = (text: string): string =>
    Object.entries(here).reduce((all, [from, to]) => all.replaceAll(from, () => to), text);
  const commandOf = ({ language, words, text }: Block): string | undefined => {
    if (language === "sh" && words.size === 0) return text;
    if (language === "env") return `${CONFIGURED} <<'END-OF-FILE'\n${text}END-OF-FILE`;
    if (!words.has("as")) return undefined;
    return `as=${words.get("as")}; ${psql} -v ON_ERROR_STOP=1 <<'END-OF-SQL'\n${text}END-OF-SQL`;
  };

  (canMakeMachine() ? describe : describe.skip)(page, () => {
    let machine: Machine;
    const run = async (script: string, printed?: Block): Promise<void> => {
      const { output, failed } = await machine.run(asHere(script));
      if (printed === undefined) expect(failed && `${failed}\n${output}`).toBe("");
      else expectPrinted(asHere(printed.text), output);
    };
    const runOn = async (script: string, printed?: Block): Promise<void> => {
      await machine.run(`set -m\n{ ${asHere(script)}\n} &\nendless=$! printing=$output\nset +m`);
      const isPrinted = async () => {
        const { output } = await machine.run("cat $printing");
        return printed === undefined || isAsPrinted(asHere(printed.text), output);
      };
      await until("the output", isPrinted);
    };
    beforeAll(async () => {
      machine = startMachine();
      await run(`cd /opt/parking\n${before}`);
    });
    afterAll(async () => machine?.[Symbol.asyncDispose]());

    it("has what its test names", () => {
      const named = Object.keys({ ...here, ...notHere, ...printedBy, ...endless, ...first });
      expect(named.filter((it) => !blocks.some(({ text }) => text.includes(it)))).toEqual([]);
    });

    for (const [index, block] of blocks.entries()) {
      if (find(notHere, block) !== undefined) continue;
      const command = commandOf(block);
      const next = blocks[index + 1];
      const printed = next && isOutput(next) ? next : undefined;
      it(
        `line ${block.line}: ${block.text.trim().split("\n")[0]}`,
        async () => {
          const ends = Object.values(endless).some((piece) => piece && block.text.includes(piece));
          if (ends) await machine.run("kill -INT -- -$endless; wait $endless");
          await run(find(first, block) ?? "");
          const printing = find(printedBy, block);
          const file = block.words.get("file");
          if (printing !== undefined) await run(printing, block);
          else if (file !== undefined) await putFile(file, block.text);
          else if (command === undefined) expect(isOutput(block)).toBe(true);
          else await (find(endless, block) === undefined ? run : runOn)(command, printed);
        },
        PATIENCE_MS,
      );
    }

    /** The output of a command follows it at once. */
    function isOutput(block: Block): boolean {
      const last = blocks[blocks.indexOf(block) - 1];
      return (
        block.follows && !!last && !!commandOf(last) && !commandOf(block) && block.words.size === 0
      );
    }

    /** A page shows a file of the project as it is; another one is written, as a reader does. */
    async function putFile(file: string, text: string): Promise<void> {
      const path = join(projectFolder, file);
      if (existsSync(path)) expect(text).toBe(readFileSync(path, "utf8"));
      else await run(`cat >${file} <<'END-OF-FILE'\n${asHere(text)}END-OF-FILE`);
    }
  });
}

function expectPrinted(printed: string, output: string): void {
  if (!isAsPrinted(printed, output)) expect(readable(output)).toBe(readable(printed));
}
