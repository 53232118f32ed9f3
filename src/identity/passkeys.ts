import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import type { Pool } from "pg";
import { Problem } from "../errors/problem.ts";
import { isJsonObject } from "../formats.ts";
import type { Account } from "./configuration.ts";
import type { Secret } from "./secret.ts";

/** A passkey as its owner reads it. */
export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly is_backed_up: boolean;
  readonly last_used_at: Date | null;
  readonly created_at: Date;
}

interface PasskeyRow extends Passkey {
  readonly account_id: string;
  readonly credential_id: Buffer;
  readonly transports: AuthenticatorTransport[];
  readonly public_key: Buffer;
  /** A bigint. */
  readonly counter: string;
}

/**
 * Signs people in without a mail (WebAuthn). Whoever has the device must also unlock it, because
 * nothing else is asked. No page and no answer says who has passkeys: the device says who it is
 * for.
 */
export interface Passkeys {
  /** What a browser needs to ask for any passkey of this service. */
  optionsFor(interaction: string): PublicKeyCredentialRequestOptionsJSON;
  /** The person whose passkey signed the challenge of this sign-in. */
  signIn(interaction: string, response: unknown): Promise<Account | undefined>;
  list(accountId: string): Promise<readonly Passkey[]>;
  /** What a browser needs to make a passkey. */
  newOptionsFor(
    account: Account,
    building: string,
  ): Promise<PublicKeyCredentialCreationOptionsJSON>;
  /** @throws Problem for what is no answer to the options, and for more than ten */
  add(account: Account, issuedAt: Date, name: string, response: unknown): Promise<Passkey>;
  /** The name of the passkey; undefined where the person has no such one. */
  remove(accountId: string, id: string): Promise<string | undefined>;
}

/** Loaded with the first passkey, because it takes 27 MB of memory. */
const library = () => import("@simplewebauthn/server");

/** EdDSA, ES256 and RS256: what devices have. */
const ALGORITHMS = [-8, -7, -257];

const TRANSPORTS = ["ble", "hybrid", "internal", "nfc", "smart-card", "usb"] as const;

/** How long a person may take to unlock a device, in milliseconds. Clocks of processes differ. */
const PATIENCE_MS = 10 * 60_000;

/** In bytes (Web Authentication, credential id). */
const LONGEST_ID = 1_023;

const bytesOf = (text: string): Buffer => Buffer.from(text, "base64url");

/** What the device keeps to say who a passkey is for. */
const handleOf = (accountId: string): string => Buffer.from(accountId).toString("base64url");

type Answer = AuthenticationResponseJSON | RegistrationResponseJSON;

/** Whether it can be read at all. The library checks what it says. */
const isAnswer = <Kind extends Answer>(value: Kind | unknown): value is Kind =>
  isJsonObject(value) &&
  typeof value.id === "string" &&
  isJsonObject(value.response) &&
  typeof value.response.clientDataJSON === "string";

/** @param origin of the page; its host is the name to which browsers bind passkeys */
export function createPasskeys(pool: Pool, origin: string, secret: Secret): Passkeys {
  const rpID = new URL(origin).hostname;
  const terms = { expectedOrigin: origin, expectedRPID: rpID, requireUserVerification: true };

  /** Nothing is stored for a page that is only looked at: the signature says whom it asked, and when. */
  function challengeFor(holder: string): string {
    const at = String(Date.now());
    const signature = secret.sign("challenge", holder, at).toString("base64url");
    return Buffer.from(`${at}.${signature}`).toString("base64url");
  }
  /** The challenge that was signed, where it is the holder's and new. */
  function challengeOf(holder: string, { response }: Answer): string | undefined {
    const challenge = challengeIn(response.clientDataJSON);
    const [at = "", signature = ""] = bytesOf(challenge).toString().split(".");
    const isNew = Math.abs(Date.now() - Number(at)) < PATIENCE_MS;
    const isRight = secret.isSigned(bytesOf(signature), "challenge", holder, at);
    return isNew && isRight ? challenge : undefined;
  }
  const holderOf = ({ id }: Account): string => `account ${id}`;

  async function rowsOf(call: string, ...values: unknown[]): Promise<readonly PasskeyRow[]> {
    return (await pool.query<PasskeyRow>(`select * from identity.${call}`, values)).rows;
  }

  /** @throws Error where it was not made here and now, or says who made the device */
  async function checkNew(response: RegistrationResponseJSON, expectedChallenge: string) {
    const { verifyRegistrationResponse } = await library();
    const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers");
    const attestation = new Uint8Array(bytesOf(response.response.attestationObject));
    if (decodeAttestationObject(attestation).get("fmt") !== "none") throw new Error("attestation");
    const { registrationInfo } = await verifyRegistrationResponse({
      ...terms,
      response,
      expectedChallenge,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (registrationInfo === undefined) throw new Error("not verified");
    if (bytesOf(registrationInfo.credential.id).length > LONGEST_ID) throw new Error("id too long");
    return registrationInfo;
  }

  return {
    optionsFor: (interaction) => ({
      rpId: rpID,
      challenge: challengeFor(interaction),
      userVerification: "required",
    }),
    async signIn(interaction, response) {
      if (!isAnswer<AuthenticationResponseJSON>(response)) return undefined;
      const challenge = challengeOf(interaction, response);
      const id = bytesOf(response.id);
      const [known] = await rowsOf("find_passkey($1)", id);
      if (challenge === undefined || known === undefined) return undefined;
      if (response.response.userHandle !== handleOf(known.account_id)) return undefined;
      const credential = {
        id: response.id,
        publicKey: new Uint8Array(known.public_key),
        counter: Number(known.counter),
      };
      const { verifyAuthenticationResponse } = await library();
      const checked = await verifyAuthenticationResponse({
        ...terms,
        response,
        expectedChallenge: challenge,
        credential,
      }).catch(() => undefined);
      if (!checked?.verified) return undefined;
      const { newCounter, credentialBackedUp } = checked.authenticationInfo;
      const used = await pool.query<{ address: string | null }>(
        "select identity.use_passkey($1, $2, $3) as address",
        [id, newCounter, credentialBackedUp],
      );
      const email = used.rows[0]?.address;
      return email ? { id: known.account_id, email } : undefined;
    },
    list: async (accountId) => (await rowsOf("list_passkeys($1)", accountId)).map(shown),
    async newOptionsFor(account, building) {
      const known = await rowsOf("list_passkeys($1)", account.id);
      const { generateRegistrationOptions } = await library();
      const options = await generateRegistrationOptions({
        rpName: building,
        rpID,
        userID: new Uint8Array(bytesOf(handleOf(account.id))),
        userName: account.email,
        userDisplayName: account.email,
        attestationType: "none",
        excludeCredentials: known.map(({ credential_id: id, transports }) => ({
          id: id.toString("base64url"),
          transports,
        })),
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
        supportedAlgorithmIDs: ALGORITHMS,
      });
      return { ...options, challenge: challengeFor(holderOf(account)) };
    },
    async add(account, issuedAt, name, response) {
      if (!isAnswer<RegistrationResponseJSON>(response)) throw refusal();
      const challenge = challengeOf(holderOf(account), response);
      if (challenge === undefined) throw refusal();
      const { credential, credentialBackedUp } = await checkNew(response, challenge).catch(
        (cause) => {
          throw refusal(cause);
        },
      );
      const [added] = await rowsOf(
        "add_passkey($1, $2, $3, $4, $5, $6, $7, $8)",
        account.id,
        issuedAt,
        bytesOf(credential.id),
        Buffer.from(credential.publicKey),
        credential.counter,
        TRANSPORTS.filter((it) => credential.transports?.includes(it)),
        credentialBackedUp,
        name,
      );
      return added ? shown(added) : Promise.reject(refusal());
    },
    async remove(accountId, id) {
      const { rows } = await pool.query<{ name: string | null }>(
        "select identity.remove_passkey($1, $2) as name",
        [accountId, id],
      );
      return rows[0]?.name ?? undefined;
    },
  };
}

/** The challenge that was signed; none in a frame of another page, which the library lets pass. */
function challengeIn(clientData: string): string {
  try {
    const { challenge, crossOrigin } = JSON.parse(bytesOf(clientData).toString());
    return crossOrigin ? "" : String(challenge);
  } catch {
    return "";
  }
}

const shown = ({ id, name, is_backed_up, last_used_at, created_at }: PasskeyRow): Passkey => ({
  id,
  name,
  is_backed_up,
  last_used_at,
  created_at,
});

const refusal = (cause?: unknown): Problem =>
  new Problem(
    {
      code: "passkey_refused",
      status: 400,
      message: "This passkey could not be checked. Please try again",
    },
    {
      translations: {
        de: "Dieser Passkey ließ sich nicht prüfen. Bitte versuchen Sie es noch einmal.",
      },
      cause,
    },
  );
