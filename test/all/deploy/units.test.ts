import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { projectFolder } from "../../../src/project-folder.ts";

const linesOf = (unit: string): readonly string[] =>
  readFileSync(join(projectFolder, "docs/deploy", unit), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));

const isOwn = (line: string): boolean => /^(Description|Environment|ExecStart)=/.test(line);

it("gives the process of the jobs the limits of the others", () => {
  const service = linesOf("parking@.service");
  const jobs = linesOf("parking-jobs.service");

  expect(service).toEqual(expect.arrayContaining(["DynamicUser=yes", "NoNewPrivileges=yes"]));
  expect(jobs.filter((line) => !isOwn(line))).toEqual(service.filter((line) => !isOwn(line)));
  expect(jobs.filter(isOwn)).toEqual([
    "Description=Parking spots, jobs",
    "Environment=NODE_ENV=production",
    "Environment=NODE_COMPILE_CACHE=%C/parking",
    "ExecStart=/opt/parking/node_modules/.bin/node --max-semi-space-size=4 src/commands/jobs.ts run",
  ]);
});
