/**
 * The gain of remembering verified tokens: verify() of one token with the cache and without. The two
 * take turns within one run, so that their ratio is reliable.
 */
import { createTokenVerifier, type TokenVerifier } from "../src/tokens/verifier.ts";
import { startKeyServer } from "../test/support/key-server.ts";
import { type Algorithm, makeKey, signToken, usualClaims } from "../test/support/tokens.ts";

const ROUNDS = 41;
const CALLS = 400;
const AUDIENCE = "parking";
const ALGORITHMS: readonly Algorithm[] = ["RS256", "PS256", "ES256", "EdDSA"];

/** Microseconds that one call takes, on average. */
async function costOf(verifier: TokenVerifier, authorization: string): Promise<number> {
  const start = performance.now();
  for (let call = 0; call < CALLS; call += 1) await verifier.verify(authorization);
  return ((performance.now() - start) * 1_000) / CALLS;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

async function measure(alg: Algorithm): Promise<string> {
  const key = makeKey(alg, "bench");
  const server = await startKeyServer(key.publicJwk);
  const settings = { issuer: server.origin, audience: AUDIENCE };
  const cached = createTokenVerifier(settings);
  const uncached = createTokenVerifier({ ...settings, cacheSize: 0 });
  const sub = "01912d68-783e-7a03-8467-5661c1243ad4";
  const claims = { ...usualClaims(server.origin, AUDIENCE, Date.now()), sub };
  const authorization = `Bearer ${signToken(key, { ...claims, email: "ann@example.org" })}`;

  await costOf(cached, authorization);
  await costOf(uncached, authorization);
  const pairs: { readonly hit: number; readonly miss: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const hit = await costOf(cached, authorization);
    pairs.push({ hit, miss: await costOf(uncached, authorization) });
  }
  await server.close();

  const hit = median(pairs.map((pair) => pair.hit));
  const miss = median(pairs.map((pair) => pair.miss));
  const ratio = median(pairs.map((pair) => pair.miss / pair.hit));
  return `${alg}: ${miss.toFixed(1)} µs without, ${hit.toFixed(1)} µs with: ${ratio.toFixed(1)}×`;
}

for (const alg of ALGORITHMS) console.log(await measure(alg));
