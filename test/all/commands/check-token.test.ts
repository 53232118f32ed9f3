import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { projectFolder } from "../../../src/project-folder.ts";
import { environment } from "../../support/environment.ts";
import { startTestIssuer, type TestIssuer } from "../../support/tokens.ts";

let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await startTestIssuer();
});
afterAll(() => issuer.close());

const sub = "01912d68-783e-7a03-8467-5661c1243ad4";

const run = (tokens: readonly string[], env: NodeJS.ProcessEnv) =>
  promisify(execFile)(process.execPath, ["src/commands/check-token.ts", ...tokens], {
    cwd: projectFolder,
    env: { ...environment, ...env },
  });

const check = (tokens: string | readonly string[], settings: NodeJS.ProcessEnv = {}) =>
  run([tokens].flat(), {
    AUTH_ISSUER: issuer.issuer,
    AUTH_AUDIENCE: issuer.audience,
    ...settings,
  });

describe("npm run check:token", () => {
  it("says who the caller of an accepted token is", async () => {
    const email = "ann@example.org";
    const token = await issuer.token({ sub: sub.toUpperCase(), email, email_verified: true });
    const { stdout } = await check(token);

    expect(stdout).toContain("The service accepts this token.");
    expect(stdout).toMatch(new RegExp(`^ *caller +${sub}, ann@example\\.org, confirmed$`, "m"));
  });

  it("says what the groups of the token decide, and shows where they are missing", async () => {
    const settings = {
      AUTH_GROUPS_CLAIM: "groups",
      AUTH_APPROVED_GROUP: "residents",
      AUTH_ADMIN_GROUP: "admins",
    };
    const person = { sub, email: "ann@example.org", email_verified: true };
    const callerOf = async (groups: unknown) =>
      (await check(await issuer.token({ ...person, groups }), settings)).stdout;

    expect(await callerOf(["residents"])).toMatch(/ confirmed, approved, not administrator$/m);
    expect(await callerOf(undefined)).toMatch(/^ *groups +missing$/m);
    expect(await callerOf({ residents: true })).toMatch(/nobody is in a group/);
  });

  it("warns where nobody can register with it", async () => {
    const { stdout } = await check(await issuer.token({ sub }));

    expect(stdout).toMatch(/^ *caller .*nobody can register without an email/m);
    expect(stdout).toMatch(/^ *email +missing$/m);
  });

  it("says why a token is refused, and what was expected", async () => {
    const token = await issuer.token({ sub, aud: "account" });

    await expect(check(`Bearer ${token}`)).rejects.toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(
        /^The service refuses this token:\n- aud does not contain AUTH_AUDIENCE\n {2}.* aud +"account" \(AUTH_AUDIENCE is parking\)\n/s,
      ),
    });
  });

  it("names everything that is wrong, and what helps", async () => {
    const token = await issuer.token({
      sub: "auth0|1",
      aud: "account",
      iss: "x",
      exp: 1,
      nonce: "n",
    });

    await expect(check(token)).rejects.toMatchObject({
      stderr: expect.stringMatching(
        /^The service refuses this token:\n- iss is .*\n- aud does .*\n- an access token has no nonce\n- .*expired\n- sub is not a UUID: with AUTH_SUB_IS_UUID=false .*\n {2}/,
      ),
    });
  });

  it("shows every claim, and which of them do not count", async () => {
    const claims = { email: "ann@example.org", email_verified: "true", groups: ["a", "b"] };
    const { stdout } = await check(await issuer.token({ sub, ...claims }));

    expect(stdout).toMatch(/caller .*, not confirmed$/m);
    expect(stdout).toMatch(
      /email_verified +"true" \(not the boolean true or false: it does not count\)/,
    );
    expect(stdout).toMatch(/groups +\["a","b"\]$/m);
  });

  it("shows claims by the names that every object has", async () => {
    const claims = JSON.parse('{ "__proto__": "a", "constructor": "b" }');
    const { stdout } = await check(await issuer.token({ ...claims, sub }));

    expect(stdout).toMatch(/__proto__ +"a"$/m);
    expect(stdout).toMatch(/constructor +"b"$/m);
  });

  it("compares two tokens", async () => {
    const email = "ann@example.org";
    const [one, same, other] = await Promise.all([
      issuer.token({ sub, email, jti: "1" }),
      issuer.token({ sub, email, jti: "2" }),
      issuer.token({ sub: "01912d68-783e-7a03-8467-5661c1243ad5", email, jti: "1" }),
    ]);

    const renewed = await check([one, same]);
    expect(renewed.stdout).toMatch(/differ in:\n {2}jti +"1" and "2"\nTheir sub is the same/);
    const pairwise = await check([one, other]);
    expect(pairwise.stdout).toMatch(/sub +".*4" and ".*5"\nTheir sub differs: .*public subjects/);
  });

  it("says that it speaks of the development sign-in where no issuer is set", async () => {
    await expect(run([await issuer.token({ sub })], {})).rejects.toMatchObject({
      stderr: expect.stringMatching(/^AUTH_ISSUER is not set: .*development sign-in/),
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
      stderr: expect.stringMatching(/^The service refuses this token:\n- .+\n$/),
    });
  });

  it("says that the keys cannot be fetched", async () => {
    const token = await issuer.token({ sub });

    await expect(
      check(token, { AUTH_JWKS_URL: `${issuer.issuer}/nothing/` }),
    ).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`- the keys of ${issuer.issuer} cannot be fetched: `),
    });
  });
});
