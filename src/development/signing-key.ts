import { createPrivateKey, createPublicKey, randomUUID, sign, verify } from "node:crypto";
import { existsSync } from "node:fs";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from "jose";
import { OperatorError } from "../errors/operator-error.ts";

export const SIGNING_ALGORITHM = "RS256";

const MEMBERS = ["kid", "n", "e", "d", "p", "q", "dp", "dq", "qi"] as const;

/** A private RSA key as a JWK. */
export type SigningKey = Readonly<Record<(typeof MEMBERS)[number], string>> & {
  readonly kty: "RSA";
};

/**
 * The key in `dataDir`, created there the first time.
 * @throws OperatorError naming the file, when it exists and holds no such key
 */
export async function loadSigningKey(dataDir: string): Promise<SigningKey> {
  const file = join(dataDir, "identity-key.json");
  if (!existsSync(file)) await makeKeyFile(dataDir, file);
  const text = await readFile(file, "utf8");
  try {
    return parseKey(text);
  } catch (cause) {
    const remedy = "delete it to get a new one";
    throw new OperatorError(`${file} does not hold an RSA signing key: ${remedy}`, { cause });
  }
}

/** Only a finished file gets the name, so that two processes at once use the same key. */
async function makeKeyFile(dataDir: string, file: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const unfinished = `${file}.${randomUUID()}`;
  await writeFile(unfinished, JSON.stringify(await makeKey()), { mode: 0o600, flag: "wx" });
  try {
    await link(unfinished, file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    await rm(unfinished);
  }
}

async function makeKey(): Promise<unknown> {
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const jwk = await exportJWK(privateKey);
  return { kid: await calculateJwkThumbprint(jwk), ...jwk };
}

function parseKey(text: string): SigningKey {
  const key: unknown = JSON.parse(text);
  if (!isSigningKey(key)) throw new Error("a member is missing");
  if (!canSign(key)) throw new Error("the members do not belong together");
  return key;
}

function canSign(jwk: SigningKey): boolean {
  const key = createPrivateKey({ key: jwk, format: "jwk" });
  const message = Buffer.from(jwk.kid);
  return verify("sha256", message, createPublicKey(key), sign("sha256", message, key));
}

function isSigningKey(value: unknown): value is SigningKey {
  if (typeof value !== "object" || value === null) return false;
  const members = new Map<string, unknown>(Object.entries(value));
  const isText = (name: string) => typeof members.get(name) === "string";
  return members.get("kty") === "RSA" && MEMBERS.every(isText);
}
