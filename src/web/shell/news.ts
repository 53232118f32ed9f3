import { addresses } from "../addresses.ts";
import { followEvents, type LiveEvent } from "../api/stream.ts";
import { plain, t } from "../messages/translate.ts";
import { announce } from "../parts/toasts.tsx";
import { navigate } from "../routing.ts";

/** Those that come together are announced once. */
const TOGETHER = 500;

let messages: string[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/** Hears of what others do, until the returned function is called. */
export const followNews = (): (() => void) => followEvents(tell);

/** Announces a new notification, also to those who do not see it. */
function tell({ type, data }: LiveEvent): void {
  if (type !== "notification.created" || !isUnread(data)) return;
  messages.push(data.message);
  if (timer !== undefined) return;
  timer = setTimeout(() => {
    const [message = "", ...others] = messages;
    const count = messages.length;
    messages = [];
    timer = undefined;
    const text = others.length === 0 ? plain(message) : t("inbox.news", { count });
    announce(text, { name: t("inbox.open"), run: () => navigate(addresses.inbox) });
  }, TOGETHER);
}

const isUnread = (data: unknown): data is { readonly message: string } =>
  typeof data === "object" &&
  data !== null &&
  "is_read" in data &&
  data.is_read === false &&
  "message" in data &&
  typeof data.message === "string";
