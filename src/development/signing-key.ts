import { createPrivateKey, generateKeyPair, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { calculateJwkThumbprint, exportJWK, type JWK } from "jose";
import { OperatorError } from "../errors/operator-error.ts";

/** A private RSA key as a JWK. */
export type SigningKey = JWK & { readonly kid: string };

/**
 * Loads the key from `dataDir`, and creates it the first time.
 * @throws OperatorError naming the file, if it exists and contains no such key
 */
export async function loadSigningKey(dataDir: string): Promise<SigningKey> {
  const file = join(dataDir, "identity-key.pem");
  if (!existsSync(file)) await makeKeyFile(dataDir, file);
  const pem = await readFile(file, "utf8");
  try {
    const jwk = await exportJWK(createPrivateKey(pem));
    if (jwk.kty !== "RSA") throw new Error("it is another kind of key");
    return { ...jwk, kid: await calculateJwkThumbprint(jwk) };
  } catch (cause) {
    const remedy = "delete it to get a new one";
    throw new OperatorError(`${file} does not hold an RSA signing key: ${remedy}`, { cause });
  }
}

/** Only a complete file gets the name, so that two processes at once use the same key. */
async function makeKeyFile(dataDir: string, file: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const unfinished = `${file}.${randomUUID()}`;
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2_048 });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" });
  await writeFile(unfinished, pem, { mode: 0o600, flag: "wx" });
  try {
    await link(unfinished, file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    await rm(unfinished);
  }
}
