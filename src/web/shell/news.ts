import { addresses } from "../../addresses.ts";
import type { LiveEvent } from "../api/live.ts";
import { person, readPerson } from "../api/person.ts";
import type { Notification } from "../api/resources.ts";
import { followEvents } from "../api/stream.ts";
import { loadPart, plain, type Text, t } from "../messages/translate.ts";
import { announce } from "../parts/toasts.tsx";
import { navigate } from "../routing.ts";

/** Notifications that come together are announced once. */
const TOGETHER = 500;

type News = Pick<Notification, "kind" | "data" | "message">;

let news: News[] = [];

/** Follows what others do, until the returned function is called. */
export const followNews = (): (() => void) => followEvents(receive);

/** Announces a new notification, also for screen readers. */
function receive({ type, data }: LiveEvent): void {
  if (isOwnProfile(type, data)) readPerson().catch(() => {});
  if (type !== "notification.created" || !isUnread(data)) return;
  if (news.length === 0) setTimeout(announceNews, TOGETHER);
  news.push(data);
}

async function announceNews(): Promise<void> {
  const [one, ...others] = news;
  const count = news.length;
  news = [];
  if (!one) return;
  const text = others.length === 0 ? await textOf(one) : t("inbox.news", { count });
  announce(text, { name: t("inbox.open"), run: () => navigate(addresses.inbox) });
}

/** In the language of the page, or in English if its texts cannot be loaded now. */
const textOf = (one: News): Promise<Text> =>
  Promise.all([import("../parts/message.ts"), loadPart("mail")]).then(
    ([{ messageOf }]) => messageOf(one),
    () => plain(one.message),
  );

/** Whether another tab, another device or an administrator has changed the person's profile. */
const isOwnProfile = (type: string, data: unknown): boolean =>
  type.startsWith("profile.") &&
  typeof data === "object" &&
  data !== null &&
  "id" in data &&
  data.id === person.get()?.profile?.id;

const isUnread = (data: unknown): data is News =>
  typeof data === "object" &&
  data !== null &&
  "is_read" in data &&
  data.is_read === false &&
  "message" in data &&
  typeof data.message === "string";
