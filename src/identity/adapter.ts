import { hash } from "node:crypto";
import { type Adapter, type AdapterFactory, errors } from "oidc-provider";
import { DatabaseError, type Pool } from "pg";

/** The hash of a secret that a browser has, by which the database finds what belongs to it. */
export const hashOf = (secret: string): Buffer => hash("sha256", secret, "buffer");

/** Stands for the id within a payload, such as in the address at which a sign-in goes on. */
const ID = "\uFFFF";

/** A client may send anything as its state. NUL has no place in a jsonb, and ID has its own meaning. */
const storable = (_key: string, value: unknown): unknown =>
  typeof value === "string" ? value.replaceAll(/[\0\uFFFF]/g, "\uFFFD") : value;

/**
 * Stores what the provider keeps in the schema `identity`. No id is stored, because an id is all
 * that a browser shows: only its hash, by which it is found.
 */
export const postgresAdapter =
  (pool: Pool): AdapterFactory =>
  (model): Adapter => {
    const call = async (sql: string, ...values: unknown[]): Promise<unknown> => {
      const { rows } = await pool.query({ text: `select ${sql} as result`, values });
      return rows[0]?.result;
    };
    const findBy = async (column: "id_hash" | "uid_hash", secret: string, id = "") => {
      const sql = `identity.find_document($1, ${column} => $2)::text`;
      const payload = await call(sql, model, hashOf(secret));
      return typeof payload === "string" ? JSON.parse(payload.replaceAll(ID, id)) : undefined;
    };
    const end = async (id: string): Promise<void> => {
      await call("identity.end_document($1)", hashOf(id));
    };
    return {
      find: (id) => findBy("id_hash", id, id),
      // Only who it is about is read of a session that is found so: its id is not known.
      findByUid: (uid) => findBy("uid_hash", uid),
      async upsert(id, payload, expiresIn) {
        // A sign-in would otherwise show the id of the session in which it began.
        const session = payload.session && { ...payload.session, cookie: undefined };
        const text = JSON.stringify({ ...payload, session }, storable).replaceAll(id, ID);
        const uid = payload.uid && hashOf(payload.uid);
        const sql = "identity.keep_document($1, $2, $3, $4, $5)";
        await call(sql, model, hashOf(id), uid, text, expiresIn).catch((error) => {
          if (!isOfNobody(error)) throw error;
          throw new errors.CustomOIDCProviderError("invalid_grant", "the account was erased");
        });
      },
      async consume(id) {
        if (await call("identity.consume_document($1, $2)", model, hashOf(id))) return;
        throw new errors.InvalidGrant("it was used before");
      },
      destroy: end,
      revokeByGrantId: end,
      async findByUserCode() {
        return undefined;
      },
    };
  };

const isOfNobody = (error: unknown): boolean =>
  error instanceof DatabaseError && error.constraint === "documents_account_id_fkey";
