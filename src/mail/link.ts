import { addresses } from "../addresses.ts";
import type { Facts } from "../texts/notification.ts";

/** One item of a mail. */
export interface Item {
  readonly id?: string;
  readonly claim_id?: string | null;
  readonly spot_id?: string | null;
  readonly message: string;
  readonly data: Facts | null;
}

/** The page's path where the person can act on the items. */
export function pathOf(kind: string, items: readonly Item[]): string {
  const [item] = items;
  if (kind === "profiles.waiting") return addresses.waiting;
  if (kind === "webhook.disabled") return addresses.webhooks;
  if (kind === "profile.rejected") return addresses.profile;
  if (kind === "profile.approved") return addresses.now;
  const isAboutOne = items.length === 1 && (item?.claim_id || item?.spot_id);
  if (!isAboutOne || item === undefined) return addresses.inbox;
  if (kind === "wish.fits") return at(addresses.claims, "wish", item.id); // it has the id of the wish
  if (item.data?.is_owner) return at(addresses.spots, "spot", item.spot_id);
  if (kind === "report.submitted" && !item.claim_id) return addresses.waiting;
  return at(addresses.claims, "claim", item.claim_id);
}

const at = (path: string, name: string, id: string | null | undefined): string =>
  id ? `${path}?${name}=${id}` : path;
