import { beforeAll, describe, expect, it } from "@jest/globals";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import core from "@stoplight/spectral-core";
import owasp from "@stoplight/spectral-owasp-ruleset";
import rulesets from "@stoplight/spectral-rulesets";
import { byMail, description, underDevelopment } from "../../support/described.ts";

/** What a linter complains of. */
interface Finding {
  readonly rule: string;
  /** Such as `paths /claims get responses 401`. */
  readonly place: string;
}

type Lint = (document: string) => Promise<readonly Finding[]>;

const spectralWith =
  (ruleset: object): Lint =>
  async (document) => {
    const spectral = new core.Spectral();
    spectral.setRuleset(new core.Ruleset(ruleset));
    const results = await spectral.run(document);
    return results.map(({ code, path }) => ({ rule: String(code), place: path.join(" ") }));
  };

const redocly: Lint = async (source) => {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source, config });
  return problems.map(({ ruleId, location: [first] }) => ({
    rule: ruleId,
    place: (first?.pointer ?? "").replace(/^#\//, "").replaceAll("/", " ").replaceAll("~1", "/"),
  }));
};

const linters: Readonly<Record<string, Lint>> = {
  "Spectral's rules of OpenAPI": spectralWith(rulesets.oas),
  "Spectral's rules of OWASP": spectralWith(owasp),
  "Redocly's recommended rules": redocly,
};

/** What we leave as it is, and why. */
interface Accepted {
  readonly rules: readonly string[];
  readonly place: RegExp;
  readonly because: string;
}

const OWASP = "owasp:api";
const accepted: readonly Accepted[] = [
  {
    rules: [`${OWASP}8:2023-define-cors-origin`],
    place: /^x-webhooks /,
    because: "it is the receiver who answers there",
  },
  {
    rules: ["info-contact"],
    place: /^info$/,
    because: "each building runs a service of its own, so there is nobody to name",
  },
  {
    rules: ["oas3-unused-component", "no-unused-components"],
    place: /^components responses (UnknownPath|MethodNotAllowed)$/,
    because: "they are about paths and methods that no operation is about",
  },
  {
    rules: ["no-ambiguous-paths"],
    place: /^paths \/claims\/\{id\}\/contacts$/,
    because: "the id of a claim is a UUID, which series is not",
  },
  {
    rules: [`${OWASP}3:2023-no-additionalProperties`],
    place: / details additionalProperties$/,
    because: "its members are named after the fields of the request; their number is limited",
  },
  {
    rules: [
      `${OWASP}3:2023-constrained-additionalProperties`,
      `${OWASP}3:2023-no-additionalProperties`,
      `${OWASP}4:2023-array-limit`,
    ],
    place: /^paths \/profile\/export get responses 200 /,
    because: "it has all that is held about a person; the database alone knows the parts",
  },
  {
    rules: [`${OWASP}4:2023-string-limit`, `${OWASP}4:2023-string-restricted`],
    place: / properties error$| _errors items$/,
    because: "who writes a rule writes its message, of any length",
  },
  {
    rules: [`${OWASP}4:2023-string-limit`, `${OWASP}4:2023-string-restricted`],
    place: / text\/(csv|calendar) schema$/,
    because: "it is a file; the same rows as JSON have their limits",
  },
  {
    rules: [`${OWASP}4:2023-string-limit`, `${OWASP}4:2023-string-restricted`],
    place: / text\/event-stream schema$/,
    because: "it does not end; each event has the limits of what it shows",
  },
  {
    rules: [`${OWASP}4:2023-rate-limit`],
    place: / responses 401 headers$|^paths \/calendar-feed\.ics get responses 40[04] headers$/,
    because: "limits are those of a person, and nobody knows who this is",
  },
  {
    rules: [`${OWASP}2:2023-read-restricted`, `${OWASP}8:2023-define-error-responses-401`],
    place: /^paths \/calendar-feed\.ics get /,
    because: "calendar apps have no token; who knows the secret in the address may read it",
  },
  {
    rules: [
      `${OWASP}2:2023-read-restricted`,
      `${OWASP}4:2023-rate-limit`,
      `${OWASP}4:2023-rate-limit-responses-429`,
      `${OWASP}8:2023-define-error-responses-401`,
      `${OWASP}8:2023-define-error-validation`,
      "operation-4xx-response",
    ],
    place: /^paths \/openapi\.json get /,
    because:
      "it says how to sign in, so everybody may read it, without a token and as often as wanted",
  },
];

const isOf = ({ rule, place }: Finding, it: Accepted): boolean =>
  it.rules.includes(rule) && it.place.test(place);

describe.each([
  ["in production", description],
  ["under development", underDevelopment],
  ["with the sign-in by mail", byMail],
])("the description %s", (_case, document) => {
  const found = new Map<string, readonly Finding[]>();
  beforeAll(async () => {
    const text = JSON.stringify(document);
    for (const [name, lint] of Object.entries(linters)) found.set(name, await lint(text));
  }, 300_000);

  it.each(Object.keys(linters))("passes %s, but for what is kept for a reason", (name) => {
    const rest = found.get(name)?.filter((it) => !accepted.some((reason) => isOf(it, reason)));

    expect(rest).toEqual([]);
  });

  it("has every fault that is kept for a reason", () => {
    const all = [...found.values()].flat();
    const settled = accepted.flatMap((reason) =>
      reason.rules
        .filter((rule) => !all.some((it) => it.rule === rule && reason.place.test(it.place)))
        .map((rule) => `${rule} at ${reason.place}: ${reason.because}`),
    );

    expect(settled).toEqual([]);
  });
});
