import { useState } from "preact/hooks";
import type { Texts } from "../../../texts/notification.ts";
import { addresses } from "../../addresses.ts";
import { get, put } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import { type Source, useReading } from "../../api/reading.ts";
import type { Notification } from "../../api/resources.ts";
import { loadMail, t } from "../../messages/translate.ts";
import { Refusal, useAction } from "../../parts/form.tsx";
import { Link } from "../../parts/link.tsx";
import { messageOf } from "../../parts/message.ts";
import { Empty, Loading, whenRead } from "../../parts/states.tsx";
import { hrefOf } from "../../routing.ts";
import { formatted } from "../../time/format.ts";

interface Page {
  readonly notifications: readonly Notification[];
  readonly total: number;
}

const PAGE = 50;

const latest = (limit: number): Source<Page> => ({
  key: `notifications ${limit}`,
  topics: ["notifications"],
  read: () => get<Page>("/notifications", { limit }),
});

/** What messages say in the language of the page. */
const textsOfPage: Source<Texts> = {
  key: "texts",
  topics: [],
  read: loadMail,
};

/** What happened to the person's spots and claims. */
export function Inbox() {
  const [limit, setLimit] = useState(PAGE);
  const reading = useReading(latest(limit));
  const { value: texts, error } = useReading(textsOfPage);
  if (texts === undefined && error === undefined) return <Loading />;
  return (
    <div class="stack narrow">
      {whenRead(reading, ({ notifications, total }) => {
        if (total === 0) return <Empty title={t("inbox.none")} text={t("inbox.noneText")} />;
        return (
          <>
            <Unread notifications={notifications} />
            <ul class="cards">
              {notifications.map((one) => (
                <Line key={one.id} notification={one} />
              ))}
            </ul>
            {notifications.length < Math.min(total, 200) && (
              <button type="button" onClick={() => setLimit(limit + PAGE)}>
                {t("app.more")}
              </button>
            )}
          </>
        );
      })}
    </div>
  );
}

const mark = (id: string, is_read: boolean) => put(`/notifications/${id}`, { is_read });

function Unread({ notifications }: Pick<Page, "notifications">) {
  const action = useAction();
  const unread = notifications.filter((one) => !one.is_read);
  if (unread.length === 0) return null;
  const markAll = () =>
    action.run(async () => {
      for (const { id } of unread) await mark(id, true);
      changed("notifications");
    });
  return (
    <div class="head-row no-print">
      <span class="quiet">{t("inbox.unread", { count: unread.length })}</span>
      <button type="button" aria-disabled={action.busy} onClick={markAll}>
        {t("inbox.markAll")}
      </button>
      <Refusal action={action} />
    </div>
  );
}

function Line({ notification }: { readonly notification: Notification }) {
  const { id, is_read, created_at } = notification;
  const action = useAction();
  const setRead = (read: boolean) =>
    action.run(async () => {
      await mark(id, read);
      changed("notifications");
    });
  return (
    <li class={is_read ? "card line-card" : "card line-card unread"}>
      <div>
        <p>
          {!is_read && <span class="unseen">{t("inbox.new")}</span>}
          {messageOf(notification)}
        </p>
        <p class="quiet small">
          <time dateTime={created_at}>{formatted("moment", created_at)}</time>
        </p>
        <Refusal action={action} />
      </div>
      <div class="actions no-print">
        <Link
          href={matterOf(notification)}
          class="button small-action"
          onClick={() => {
            // What was read before the message would contradict it.
            changed("spots", "availabilities", "patterns", "exceptions", "claims", "wishes");
            if (!is_read) setRead(true);
          }}
        >
          {t("inbox.open")}
        </Link>
        <button
          type="button"
          class="small-action plain"
          aria-disabled={action.busy}
          onClick={() => setRead(!is_read)}
        >
          {t(is_read ? "inbox.markUnread" : "inbox.markRead")}
        </button>
      </div>
    </li>
  );
}

/** Where the person can see to it. */
function matterOf({ id, kind, claim_id, spot_id, data }: Notification): string {
  if (kind === "webhook.disabled") return addresses.webhooks;
  if (kind === "wish.fits") return hrefOf(addresses.claims, { wish: id }); // it has the id of the wish
  if (kind === "profile.approved") return addresses.now;
  // Old ones do not say whose spot it is: it is the recipient's, but where a spot went with its claims.
  const isOwner = data === undefined ? kind !== "spot.deleted" : data.is_owner === true;
  return isOwner
    ? hrefOf(addresses.spots, { spot: spot_id ?? undefined })
    : hrefOf(addresses.claims, { claim: claim_id ?? undefined });
}
