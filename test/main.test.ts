import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "@jest/globals";
import { OperatorError, printable } from "../src/errors/operator-error.ts";
import { projectFolder } from "../src/project-folder.ts";
import { cloneDatabase } from "./support/database.ts";
import { environment } from "./support/environment.ts";
import { startServer } from "./support/key-server.ts";

/** What a start that fails prints for people. */
async function complaintOf(settings: NodeJS.ProcessEnv): Promise<string> {
  const env = { ...environment, LOG_LEVEL: "silent", PORT: "0", ...settings };
  const start = promisify(execFile)(process.execPath, ["src/main.ts"], { cwd: projectFolder, env });
  const failure = await start.then(
    () => ({ code: 0, stderr: "" }),
    (error) => error,
  );
  expect(failure).toMatchObject({ code: 1 });
  return failure.stderr;
}

const issuer = { AUTH_ISSUER: "https://login.example", AUTH_AUDIENCE: "parking" };

describe("a start that the operator can fix", () => {
  it("names the setting that is wrong", async () => {
    expect(await complaintOf({ PORT: "http" })).toBe(
      "The settings are wrong:\n  PORT: must be a port number, 0 to 65535\n",
    );
  });

  it("says that the database refuses the service", async () => {
    await using started = new AsyncDisposableStack();
    const database = started.adopt(await cloneDatabase(), (it) => it.drop());
    const url = new URL(database.url("parking_api"));
    url.password = "wrong";

    expect(await complaintOf({ ...issuer, DATABASE_URL: url.href })).toBe(
      `DATABASE_URL: password authentication failed for user "parking_api"\n`,
    );
  });

  it("says that the port is in use", async () => {
    await using started = new AsyncDisposableStack();
    const database = started.adopt(await cloneDatabase(), (it) => it.drop());
    const server = started.adopt(await startServer(() => {}), (it) => it.close());
    const { host, port } = new URL(server.origin);

    expect(
      await complaintOf({ ...issuer, DATABASE_URL: database.url("parking_api"), PORT: port }),
    ).toBe(`HOST, PORT: listen EADDRINUSE: address already in use ${host}\n`);
  });
});

describe("an error that ends the program", () => {
  it("is one line for the operator", () => {
    expect(printable(new OperatorError("PORT: is in use"))).toBe("PORT: is in use");
  });

  it("is printed with its stack where it is a fault of the service", () => {
    const error = new Error("a bug");

    expect(printable(error)).toBe(error);
  });
});
