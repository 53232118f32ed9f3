import type { Adapter, AdapterPayload } from "oidc-provider";

/**
 * Where the provider keeps one kind of thing: sessions, codes, grants. It looks itself whether one
 * has expired. Its own adapter is much the same, but would warn on every start that it is not for
 * production, as all this is not.
 */
export function memoryAdapter(): Adapter {
  const kept = new Map<string, AdapterPayload>();
  const first = (isWanted: (payload: AdapterPayload) => boolean) =>
    [...kept.values()].find(isWanted);

  return {
    async upsert(id, payload) {
      kept.set(id, payload);
    },
    find: async (id) => kept.get(id),
    findByUid: async (uid) => first((payload) => payload.uid === uid),
    findByUserCode: async (userCode) => first((payload) => payload.userCode === userCode),
    async consume(id) {
      const payload = kept.get(id);
      if (payload) payload.consumed = true;
    },
    async destroy(id) {
      kept.delete(id);
    },
    async revokeByGrantId(grantId) {
      for (const [id, payload] of kept) if (payload.grantId === grantId) kept.delete(id);
    },
  };
}
