import { generateKeyPairSync, hash, type KeyObject, randomBytes, sign } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";

/** What a device that holds passkeys does otherwise than it should. */
export interface Changes {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly counter?: number;
  readonly userHandle?: string;
  readonly flags?: number;
  readonly format?: string;
  readonly statement?: ReadonlyMap<string, unknown>;
  readonly crossOrigin?: boolean;
}

/** A passkey in a device made of node:crypto. */
export interface Authenticator {
  readonly id: string;
  /** The answer to options for a new passkey. */
  create(options: CreationOptions, changes?: Changes): object;
  /** The answer to options for a sign-in. Each one counts. */
  get(options: { readonly challenge: string }, changes?: Changes): object;
}

export interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
}

/** Somebody is there, has unlocked the device, and the answer has a public key. */
export const flags = { present: 0x01, verified: 0x04, backedUp: 0x18, withKey: 0x40 } as const;

/** @param origin of the page that asks */
export function createAuthenticator(origin: string, id = randomBytes(32)): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  let userHandle = "";
  let counter = 0;

  const clientData = (type: string, challenge: string, changes: Changes): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: changes.type ?? type,
        challenge: changes.challenge ?? challenge,
        origin: changes.origin ?? origin,
        crossOrigin: changes.crossOrigin ?? false,
        ...(changes.crossOrigin && { topOrigin: "https://evil.example" }),
      }),
    );

  const authenticatorData = (usual: number, changes: Changes, credential = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(changes.counter ?? counter);
    return Buffer.concat([
      hash("sha256", changes.rpId ?? new URL(origin).hostname, "buffer"),
      Buffer.of(changes.flags ?? usual),
      count,
      credential,
    ]);
  };

  const answer = (response: object): object => ({
    id: id.toString("base64url"),
    rawId: id.toString("base64url"),
    type: "public-key",
    clientExtensionResults: {},
    response,
  });

  return {
    id: id.toString("base64url"),
    create({ challenge, user }, changes = {}) {
      userHandle = user.id;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const credential = Buffer.concat([Buffer.alloc(16), length, id, coseOf(publicKey)]);
      const usual = flags.present | flags.verified | flags.withKey;
      const authData = new Uint8Array(authenticatorData(usual, changes, credential));
      const attestation = new Map<string, unknown>([
        ["fmt", changes.format ?? "none"],
        ["attStmt", changes.statement ?? new Map()],
        ["authData", authData],
      ]);
      return answer({
        clientDataJSON: clientData("webauthn.create", challenge, changes).toString("base64url"),
        attestationObject: cborOf(attestation).toString("base64url"),
        transports: ["internal", "hybrid"],
      });
    },
    get({ challenge }, changes = {}) {
      counter += 1;
      const authData = authenticatorData(flags.present | flags.verified, changes);
      const data = clientData("webauthn.get", challenge, changes);
      const signed = Buffer.concat([authData, hash("sha256", data, "buffer")]);
      return answer({
        clientDataJSON: data.toString("base64url"),
        authenticatorData: authData.toString("base64url"),
        signature: sign("sha256", signed, privateKey).toString("base64url"),
        userHandle: changes.userHandle ?? userHandle,
      });
    },
  };
}

const cborOf = (value: ReadonlyMap<unknown, unknown>): Buffer =>
  Buffer.from(isoCBOR.encode(value as Parameters<typeof isoCBOR.encode>[0]));

/** A key of ES256 on P-256 (RFC 9053). */
function coseOf(key: KeyObject): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, "base64url"));
  return cborOf(new Map<number, unknown>([[1, 2], [3, -7], [-1, 1], [-2, bytes(x)], [-3, bytes(y)]])); // biome-ignore format: pairs
}
