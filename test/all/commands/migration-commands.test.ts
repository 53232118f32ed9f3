import { spawn } from "node:child_process";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { beforeAll, expect, it } from "@jest/globals";
import { environment } from "../../support/environment.ts";
import { opened } from "../../support/opened.ts";
import { until } from "../../support/waiting.ts";
import { makeRuleInCheckout, RULE } from "./rule-in-checkout.ts";

// A command starts PostgreSQL up to three times, on a machine that may be busy with other tests.
const project = opened(makeRuleInCheckout, (it) => it.checkout.remove());
beforeAll(async () => {
  await project.writeRule("end_time < start_time + interval '24 hours'");
  await project.commit();
});

// One story in one checkout: each test goes on where the one before it ended.
it("two migrations of the same number are named, with what to do", async () => {
  const own = `migrations/committed/${project.number()}-claims-are-short.sql`;
  const theirs = `migrations/committed/${project.number()}-spots-are-many.sql`;
  await project.checkout.write(theirs, await project.checkout.read(own));
  const advice = `Two migrations have the number ${project.number()}: ${own} and ${theirs}. Keep the one that is on the main branch.`;
  for (const command of ["check-drift", "migrate"]) {
    expect(await project.checkout.run(`commands/${command}`)).toEqual({
      code: 1,
      output: expect.stringContaining(advice),
    });
  }
  await project.remove(theirs);
});

it("npm run db:watch names the file and its line where the SQL fails, once, and goes on", async () => {
  const watching = spawn(process.execPath, ["src/commands/db-watch.ts"], {
    cwd: project.checkout.folder,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: string[] = [];
  for (const stream of [watching.stdout, watching.stderr]) {
    createInterface(stream).on("line", (line) => lines.push(line));
  }
  const printed = async (count: number): Promise<string | undefined> => {
    await until(`line ${count}`, async () => lines.length >= count);
    return lines[count - 1];
  };
  const applied = expect.stringMatching(/^migrations\/current\.sql is applied \(\d+ ms\)$/);
  try {
    expect(await printed(1)).toMatch(/^Watching /);
    expect(await printed(2)).toEqual(applied);
    await project.writeRule("end_time > > start_time");
    expect(await printed(3)).toBe(`sql/${RULE}:4: syntax error at or near ">"`);
    await project.writeRule("end_time < start_time + interval '24 hours'");
    expect(await printed(4)).toEqual(applied);

    // As sed -i and many editors save a file. The second time, it is another file already.
    for (const line of [5, 6]) {
      await project.checkout.write(`sql/${RULE}.new`, await project.checkout.read(`sql/${RULE}`));
      await rename(
        join(project.checkout.folder, `sql/${RULE}.new`),
        join(project.checkout.folder, `sql/${RULE}`),
      );
      expect(await printed(line)).toEqual(applied);
    }

    await mkdir(join(project.checkout.folder, "sql/reviews"));
    await project.checkout.write("sql/reviews/none.sql", "select 1;\n");
    expect(await printed(7)).toEqual(applied);
    await project.checkout.write("sql/reviews/none.sql", "select 2;\n");
    expect(await printed(8)).toEqual(applied);
    await rm(join(project.checkout.folder, "sql/reviews"), { recursive: true });
    expect(await printed(9)).toEqual(applied);

    await project.checkout.write(
      "migrations/current.sql",
      "--!include claims/none.sql\nselect 1;\n",
    );
    expect(await printed(10)).toMatch(/^ENOENT: no such file or directory, .*none\.sql'$/);
    await project.checkout.write("migrations/current.sql", "");
    expect(await printed(11)).toEqual(applied);
  } finally {
    watching.kill("SIGKILL");
  }
});

it("a start whose migration fails prints the file, its line and PostgreSQL's message", async () => {
  const file = `migrations/committed/${project.number(2)}-broken.sql`;
  const [last = ""] = (await project.committed()).filter((name) =>
    name.startsWith(project.number()),
  );
  const previous = /^--! Hash: (.*)$/m.exec(
    await project.checkout.read(`migrations/committed/${last}`),
  );
  const headers = `--! Previous: ${previous?.[1]}\n--! Hash: sha1:x\n--! AllowInvalidHash\n\n`;
  await project.checkout.write(file, `${headers}select 1;\nselect colour from parking.claims;\n`);
  const { code, output } = await project.checkout.run("main", [], {
    PORT: "0",
    LOG_LEVEL: "silent",
  });
  expect(code).toBe(1);
  expect(output).toContain(`${file} failed at ${file}:6: column "colour" does not exist`);
  expect(output).not.toContain("terminating connection");
});
