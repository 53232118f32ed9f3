declare module "oidc-provider/lib/adapters/memory_adapter.js" {
  import type { AdapterFactory } from "oidc-provider";

  /** The provider's own storage in memory. Given by hand, it does not warn at every start. */
  export function createMemoryAdapter(): AdapterFactory;
}
