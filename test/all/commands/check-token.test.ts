import { describe, expect, it } from "@jest/globals";
import { opened } from "../../support/opened.ts";
import { holdsForAll } from "../../support/table.ts";
import { startTestIssuer } from "../../support/tokens.ts";
import { runCommand } from "./run.ts";

const issuer = opened(startTestIssuer, (it) => it.close());

const sub = "01912d68-783e-7a03-8467-5661c1243ad4";
const email = "ann@example.org";

const check = (tokens: string | readonly string[], settings: NodeJS.ProcessEnv = {}) =>
  runCommand("check-token", [tokens].flat(), {
    AUTH_ISSUER: issuer.issuer,
    AUTH_AUDIENCE: issuer.audience,
    ...settings,
  });

const GROUPS = {
  AUTH_GROUPS_CLAIM: "groups",
  AUTH_APPROVED_GROUP: "residents",
  AUTH_ADMIN_GROUP: "admins",
};

type Row = readonly [
  claims: Parameters<typeof issuer.token>[0],
  shown: readonly RegExp[],
  settings?: NodeJS.ProcessEnv,
];

/** What it shows of a token with these claims. */
const accepted: readonly Row[] = [
  [
    { sub: sub.toUpperCase(), email, email_verified: true },
    [
      /The service accepts this token\./,
      new RegExp(`^ *caller +${sub}, ${email}, confirmed$`, "m"),
    ],
  ],
  [
    { sub, email, email_verified: true, groups: ["residents"] },
    [/ confirmed, approved, not administrator$/m],
    GROUPS,
  ],
  [{ sub, email, email_verified: true }, [/^ *groups +missing$/m], GROUPS],
  [{ sub, groups: { residents: true } }, [/nobody is in a group/], GROUPS],
  [{ sub }, [/^ *caller .*nobody can register without an email/m, /^ *email +missing$/m]],
  [
    { sub, email, email_verified: "true", groups: ["a", "b"] },
    [
      /caller .*, not confirmed$/m,
      /email_verified +"true" \(not the boolean true or false: it does not count\)/,
      /groups +\["a","b"\]$/m,
    ],
  ],
  // Names that every object has.
  [
    JSON.parse(`{ "__proto__": "a", "constructor": "b", "sub": "${sub}" }`),
    [/__proto__ +"a"$/m, /constructor +"b"$/m],
  ],
];

const refused: readonly Row[] = [
  [
    { sub, aud: "account" },
    [/^- aud does not contain AUTH_AUDIENCE$/m, /aud +"account" \(AUTH_AUDIENCE is parking\)$/m],
  ],
  [
    { sub: "auth0|1", aud: "account", iss: "x", exp: 1, nonce: "n" },
    [
      /^- iss is .*\n- aud does .*\n- an access token has no nonce\n- .*expired\n- sub is not a UUID: with AUTH_SUB_IS_UUID=false .*\n {2}/m,
    ],
  ],
  [{ sub, exp: 1_700_000_000 }, [/expired\n.* exp +1700000000 \(2023-11-14T22:13:20\.000Z\)\n/s]],
  [
    { sub },
    [/^- the keys of \S+ cannot be fetched: /m],
    { AUTH_JWKS_URL: "http://127.0.0.1:1/nothing/" },
  ],
];

describe("npm run check:token", () => {
  it("says who the caller of an accepted token is, and shows every claim", () =>
    holdsForAll(accepted, async ([claims, shown, settings]) => {
      const { code, stdout } = await check(await issuer.token(claims), settings);
      expect(code).toBe(0);
      for (const line of shown) expect(stdout).toMatch(line);
    }));

  it("says all that is wrong with a refused token, and what was expected", async () => {
    await holdsForAll(refused, async ([claims, shown, settings]) => {
      const outcome = await check(`Bearer ${await issuer.token(claims)}`, settings);
      expect(outcome).toMatchObject({ code: 1, stdout: "" });
      expect(outcome.stderr).toMatch(/^The service refuses this token:\n- /);
      for (const line of shown) expect(outcome.stderr).toMatch(line);
    });
    for (const token of ["nonsense", "a.b.c"])
      expect((await check(token)).stderr).toMatch(/^The service refuses this token:\n- .+\n$/);
  });

  it("compares two tokens", async () => {
    const iat = Math.floor(Date.now() / 1_000);
    const usual = { sub, email, iat, exp: iat + 3_600 };
    const [one, same, other] = await Promise.all([
      issuer.token({ ...usual, jti: "1" }),
      issuer.token({ ...usual, jti: "2" }),
      issuer.token({ ...usual, sub: "01912d68-783e-7a03-8467-5661c1243ad5", jti: "1" }),
    ]);
    expect((await check([one, same])).stdout).toMatch(
      /differ in:\n {2}jti +"1" and "2"\nTheir sub is the same/,
    );
    expect((await check([one, other])).stdout).toMatch(
      /sub +".*4" and ".*5"\nTheir sub differs: .*public subjects/,
    );
  });

  it("says that it speaks of the development sign-in where no issuer is set", async () => {
    const { stderr } = await runCommand("check-token", [await issuer.token({ sub })]);
    expect(stderr).toMatch(/^AUTH_ISSUER is not set: .*development sign-in/);
  });
});
