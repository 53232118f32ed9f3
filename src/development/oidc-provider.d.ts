declare module "oidc-provider/lib/adapters/memory_adapter.js" {
  import type { AdapterFactory } from "oidc-provider";

  /** The provider's own storage in memory. If it is given explicitly, no start logs a warning. */
  export function createMemoryAdapter(): AdapterFactory;
}
