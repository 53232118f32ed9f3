import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { describeSettings } from "../../../src/config/settings.ts";
import { projectFolder } from "../../../src/project-folder.ts";

const read = (file: string): string =>
  readFileSync(join(projectFolder, "docs/deploy", file), "utf8");
const settings = describeSettings().map(({ name }) => name);

describe("compose.yaml", () => {
  it("takes every setting that it does not set itself from parking.env", () => {
    const compose = read("compose.yaml");
    const service = compose.slice(compose.indexOf("x-parking:"), compose.indexOf("\nservices:"));
    expect(service).toContain("\n  env_file: parking.env\n");

    // Compose reads .env for what stands in compose.yaml, and passes nothing else of it on.
    const fromOtherFile = [...compose.matchAll(/\$\{(\w+)/g)].map(([, name = ""]) => name);
    expect(settings.filter((name) => fromOtherFile.includes(name))).toEqual([]);
  });

  it("has an example of each file, and settings of the service in one of them only", () => {
    const namesIn = (file: string) =>
      [...read(file).matchAll(/^([A-Z_]+)=/gm)].map(([, name = ""]) => name);
    const ofService = namesIn("parking.env.example");
    expect(ofService).toEqual(expect.arrayContaining(["AUTH_ISSUER", "AUTH_AUDIENCE"]));
    expect(ofService.filter((name) => !settings.includes(name))).toEqual([]);
    expect(namesIn("compose.env.example").filter((name) => settings.includes(name))).toEqual([]);
  });
});
