import { get } from "../api/client.ts";
import { useReading } from "../api/reading.ts";
import { plain, t } from "../messages/translate.ts";

const unread = {
  key: "unread",
  topics: ["notifications"],
  read: () => get<{ readonly total: number }>("/notifications", { is_read: false, limit: 1 }),
} as const;

/** How many notifications were not read. */
export function UnreadCount() {
  const count = useReading(unread).value?.total ?? 0;
  if (count === 0) return null;
  const shown = count > 99 ? "99+" : String(count);
  return (
    <span class="count">
      <span aria-hidden="true">{plain(shown)}</span>
      <span class="unseen">{t("inbox.unread", { count })}</span>
    </span>
  );
}
