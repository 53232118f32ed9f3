import { createPrivateKey, createPublicKey, randomUUID, sign, verify } from "node:crypto";
import { existsSync } from "node:fs";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from "jose";
import { OperatorError } from "../errors/operator-error.ts";

export const SIGNING_ALGORITHM = "RS256";

/** A private RSA key as a JWK. */
export type SigningKey = JWK & { readonly kid: string };

/**
 * Loads the key from `dataDir`, and creates it the first time.
 * @throws OperatorError naming the file, if it exists and contains no such key
 */
export async function loadSigningKey(dataDir: string): Promise<SigningKey> {
  const file = join(dataDir, "identity-key.json");
  if (!existsSync(file)) await makeKeyFile(dataDir, file);
  const text = await readFile(file, "utf8");
  try {
    return await parseKey(text);
  } catch (cause) {
    const remedy = "delete it to get a new one";
    throw new OperatorError(`${file} does not hold an RSA signing key: ${remedy}`, { cause });
  }
}

/** Only a complete file gets the name, so that two processes at once use the same key. */
async function makeKeyFile(dataDir: string, file: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const unfinished = `${file}.${randomUUID()}`;
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const text = JSON.stringify(await exportJWK(privateKey));
  await writeFile(unfinished, text, { mode: 0o600, flag: "wx" });
  try {
    await link(unfinished, file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    await rm(unfinished);
  }
}

/** Node refuses a JWK that lacks a member, but not one whose members do not belong together. */
async function parseKey(text: string): Promise<SigningKey> {
  const key = createPrivateKey({ key: JSON.parse(text), format: "jwk" });
  const message = Buffer.from(text);
  if (!verify("sha256", message, createPublicKey(key), sign("sha256", message, key))) {
    throw new Error("the members do not belong together");
  }
  const jwk = await exportJWK(key);
  if (jwk.kty !== "RSA") throw new Error("it is another kind of key");
  return { ...jwk, kid: await calculateJwkThumbprint(jwk) };
}
