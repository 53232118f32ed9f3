import { useState } from "preact/hooks";
import { addresses } from "../../../addresses.ts";
import { put } from "../../api/client.ts";
import { answer, unread } from "../../api/lists.ts";
import { changed } from "../../api/live.ts";
import { type Source, useMovingReading, useReading } from "../../api/reading.ts";
import type { Notification } from "../../api/resources.ts";
import { loadPart, t } from "../../messages/translate.ts";
import { Button, Link } from "../../parts/controls.tsx";
import { ActionButton } from "../../parts/form.tsx";
import { messageOf } from "../../parts/message.ts";
import { Empty, Loading, whenRead } from "../../parts/states.tsx";
import { hrefOf } from "../../routing.ts";
import { formatted } from "../../time/format.ts";
import { dateOf, timeZone } from "../../time/zone.ts";

interface Page {
  readonly notifications: readonly Notification[];
  readonly total: number;
}

const PAGE = 50;

const latest = (limit: number) => answer<Page>("/notifications", ["notifications"], { limit });

/** The texts of messages in the language of the page. */
const textsOfPage: Source<true> = {
  key: "texts",
  topics: [],
  read: () => loadPart("mail").then(() => true),
};

export function Inbox() {
  const [limit, setLimit] = useState(PAGE);
  const reading = useMovingReading(latest(limit));
  const { value: areLoaded, error } = useReading(textsOfPage);
  if (!areLoaded && error === undefined) return <Loading />;
  return (
    <div class="stack narrow">
      {whenRead(reading, ({ notifications, total }) => {
        if (total === 0) return <Empty title="inbox.none" text="inbox.noneText" />;
        return (
          <>
            <Unread />
            <ul class="cards">
              {notifications.map((one) => (
                <Line key={one.id} notification={one} />
              ))}
            </ul>
            {notifications.length < Math.min(total, 200) && (
              <Button onClick={() => setLimit(limit + PAGE)} text="app.more" />
            )}
          </>
        );
      })}
    </div>
  );
}

/** Marks one notification as read, or all, also those that are not shown. */
const mark = (path: string): Promise<void> => put<void>(path, { is_read: true });

function Unread() {
  const count = useReading(unread).value?.total ?? 0;
  if (count === 0) return null;
  return (
    <div class="beside head-row no-print">
      <span class="quiet">{t("inbox.unread", { count })}</span>
      <ActionButton act={() => mark("/notifications")} text="inbox.markAll" />
    </div>
  );
}

/** The whole card is a link to its subject. Following it marks the notification as read. */
function Line({ notification }: { readonly notification: Notification }) {
  const { id, is_read, created_at } = notification;
  const read = () => {
    // Data that was read before the message would contradict it.
    changed("spots", "availabilities", "patterns", "exceptions", "claims", "wishes");
    // If this fails, the message stays unread, and people see that.
    if (!is_read) mark(`/notifications/${id}`).catch(() => {});
  };
  return (
    <li>
      <Link
        href={matterOf(notification)}
        class={is_read ? "card matter" : "card matter unread"}
        onClick={read}
      >
        <p>
          {!is_read && <span class="unseen">{t("inbox.new")}</span>}
          {messageOf(notification)}
        </p>
        <p class="quiet small">
          <time dateTime={created_at}>{formatted("moment", created_at)}</time>
        </p>
      </Link>
    </li>
  );
}

function matterOf({ id, kind, claim_id, spot_id, data }: Notification): string {
  if (kind === "webhook.disabled") return addresses.webhooks;
  if (kind === "wish.fits") return hrefOf(addresses.claims, { wish: id }); // it has the id of the wish
  if (kind === "profile.approved") return addresses.now;
  if (kind === "profiles.waiting") return addresses.waiting;
  // Old notifications do not say whose spot it is. It is the recipient's, unless the spot was
  // deleted with its claims.
  const isOwner = data === undefined ? kind !== "spot.deleted" : data.is_owner === true;
  if (kind === "report.submitted" && !isOwner && claim_id === null) {
    return hrefOf(addresses.garage, { gate: "yes" }); // a concierge opens it, too
  }
  return isOwner
    ? hrefOf(addresses.spots, { spot: spot_id ?? undefined, week: dayOf(data?.start_time) })
    : hrefOf(addresses.claims, { claim: claim_id ?? undefined });
}

/** The date, so that the week with this time is shown. */
const dayOf = (start?: string) => start && dateOf(Date.parse(start), timeZone());
