import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { projectFolder } from "../../src/project-folder.ts";
import { environment } from "../support/environment.ts";
import { startTestIssuer, type TestIssuer } from "../support/tokens.ts";

let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await startTestIssuer();
});
afterAll(() => issuer.close());

const sub = "01912d68-783e-7a03-8467-5661c1243ad4";

const check = (token: string, settings: NodeJS.ProcessEnv = {}) =>
  promisify(execFile)(process.execPath, ["src/commands/check-token.ts", token], {
    cwd: projectFolder,
    env: {
      ...environment,
      AUTH_ISSUER: issuer.issuer,
      AUTH_AUDIENCE: issuer.audience,
      ...settings,
    },
  });

describe("npm run check:token", () => {
  it("says who the caller of an accepted token is", async () => {
    const email = "ann@example.org";
    const token = await issuer.token({ sub: sub.toUpperCase(), email, email_verified: true });
    const { stdout } = await check(token);

    expect(stdout).toContain("The service accepts this token.");
    expect(stdout).toMatch(new RegExp(`^ *caller +${sub}$`, "m"));
    expect(stdout).toMatch(/^ *email +ann@example\.org, confirmed$/m);
  });

  it("warns where nobody can register with it", async () => {
    const { stdout } = await check(await issuer.token({ sub }));

    expect(stdout).toMatch(/^ *email +missing: POST \/profile is refused without one$/m);
  });

  it("says why a token is refused, and what was expected", async () => {
    const token = await issuer.token({ sub, aud: "account" });

    await expect(check(`Bearer ${token}`)).rejects.toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(
        /^The service refuses this token: aud does not contain AUTH_AUDIENCE\n.* aud +"account" \(AUTH_AUDIENCE is parking\)\n/s,
      ),
    });
  });

  it("says when a token expired", async () => {
    const token = await issuer.token({ sub, exp: 1_700_000_000 });

    await expect(check(token)).rejects.toMatchObject({
      stderr: expect.stringMatching(/expired\n.* exp +1700000000 \(2023-11-14T22:13:20\.000Z\)\n/s),
    });
  });

  it.each(["nonsense", "a.b.c"])("says what is wrong with %s", async (token) => {
    await expect(check(token)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The service refuses this token: .+\n$/),
    });
  });

  it("says that the keys cannot be fetched", async () => {
    const token = await issuer.token({ sub });

    await expect(
      check(token, { AUTH_JWKS_URL: `${issuer.issuer}/nothing/` }),
    ).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("The keys of AUTH_ISSUER cannot be fetched: "),
    });
  });
});
