import type { Adapter, AdapterPayload } from "oidc-provider";

interface Entry {
  readonly payload: AdapterPayload;
  readonly expiresAt: number;
}

/**
 * Where the provider keeps one kind of thing: sessions, codes, grants. The one that comes with the
 * provider does the same, and warns on every start that it is not for production, as this is not.
 */
export function memoryAdapter(): Adapter {
  const entries = new Map<string, Entry>();
  const isOver = ({ expiresAt }: Entry) => expiresAt <= Date.now();
  const remove = (isUnwanted: (entry: Entry) => boolean) => {
    for (const [id, entry] of entries) if (isUnwanted(entry)) entries.delete(id);
  };
  const first = (isWanted: (payload: AdapterPayload) => boolean) =>
    [...entries.values()].find(({ payload }) => isWanted(payload))?.payload;

  return {
    async upsert(id, payload, expiresIn = Number.POSITIVE_INFINITY) {
      remove(isOver);
      entries.set(id, { payload, expiresAt: Date.now() + expiresIn * 1_000 });
    },
    find: async (id) => entries.get(id)?.payload,
    findByUid: async (uid) => first((payload) => payload.uid === uid),
    findByUserCode: async (userCode) => first((payload) => payload.userCode === userCode),
    async consume(id) {
      const entry = entries.get(id);
      if (entry) entry.payload.consumed = Math.floor(Date.now() / 1_000);
    },
    async destroy(id) {
      entries.delete(id);
    },
    async revokeByGrantId(grantId) {
      remove(({ payload }) => payload.grantId === grantId);
    },
  };
}
