import { createPublicKey, generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import { calculateJwkThumbprint, createLocalJWKSet, exportJWK, type JWK } from "jose";
import type { Pool } from "pg";
import { OperatorError } from "../errors/operator-error.ts";
import type { KeySource } from "../tokens/keys.ts";
import { SIGNING_ALGORITHM } from "./configuration.ts";
import type { Secret } from "./secret.ts";

/** The keys that sign tokens, which all processes share. */
export interface SigningKeys extends KeySource {
  /** The private keys, the newest one first: the same list until there is another key. */
  current(): Promise<readonly JWK[]>;
}

interface KeyRow {
  readonly kid: string;
  readonly sealed: Buffer;
  readonly is_due: boolean;
}

interface Loaded {
  readonly privateKeys: readonly JWK[];
  readonly names: string;
  readonly find: ReturnType<typeof createLocalJWKSet>;
  readonly at: number;
}

type PrivateKey = JWK & { readonly kid: string };

const publicOf = ({ kid, ...key }: PrivateKey): JWK => ({
  ...createPublicKey({ key, format: "jwk" }).export({ format: "jwk" }),
  kid,
  alg: SIGNING_ALGORITHM,
  use: "sig",
});

/** Another process may have made a key: after this time they are read again, in milliseconds. */
const FRESH_MS = 60_000;
/** The least time between two readings for tokens of unknown keys, in milliseconds. */
const PAUSE_MS = 5_000;

/** @param clock in milliseconds; tests set the time with it */
export async function createSigningKeys(
  pool: Pool,
  secret: Secret,
  clock = () => performance.now(),
): Promise<SigningKeys> {
  const list = async () => (await pool.query<KeyRow>("select * from identity.list_keys()")).rows;

  async function load(): Promise<Loaded> {
    const at = clock();
    let rows = await list();
    const [newest] = rows;
    if (newest === undefined || newest.is_due) {
      await addKey(newest?.kid);
      rows = await list();
    }
    const names = rows.map(({ kid }) => kid).join();
    if (loaded?.names === names) return { ...loaded, at };
    const privateKeys = rows.map(opened);
    return { privateKeys, names, find: createLocalJWKSet({ keys: privateKeys.map(publicOf) }), at };
  }

  async function addKey(newest: string | undefined): Promise<void> {
    const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2_048 });
    const jwk = await exportJWK(privateKey);
    const kid = await calculateJwkThumbprint(jwk);
    const sealed = secret.seal(JSON.stringify({ ...jwk, kid }), kid);
    await pool.query("select identity.add_key($1, $2, $3)", [kid, sealed, newest]);
  }

  function opened({ kid, sealed }: KeyRow): PrivateKey {
    try {
      return JSON.parse(secret.open(sealed, kid));
    } catch (cause) {
      throw new OperatorError(
        "IDENTITY_SECRET: it is not the one with which the keys of this database were encrypted",
        { cause },
      );
    }
  }

  let loaded: Loaded | undefined;
  let loading: Promise<Loaded> | undefined;
  const reload = (): Promise<Loaded> => {
    loading ??= load().finally(() => {
      loading = undefined;
    });
    return loading.then((them) => {
      loaded = them;
      return them;
    });
  };
  /** What was read once serves through an outage of the database. */
  const younger = async (milliseconds: number): Promise<Loaded> => {
    if (loaded === undefined) return reload();
    if (clock() - loaded.at < milliseconds) return loaded;
    const known = loaded;
    return reload().catch(() => {
      loaded = { ...known, at: clock() };
      return loaded;
    });
  };
  await reload();

  return {
    algorithms: [SIGNING_ALGORITHM],
    async current() {
      return (await younger(FRESH_MS)).privateKeys;
    },
    async keyOf(header) {
      const { find } = await younger(FRESH_MS);
      return find(header).catch(async () => (await younger(PAUSE_MS)).find(header));
    },
    async refresh() {
      await younger(FRESH_MS);
    },
  };
}
