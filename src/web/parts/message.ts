import { sentenceOf } from "../../texts/notification.ts";
import type { Notification } from "../api/resources.ts";
import { plain, type Text, texts } from "../messages/translate.ts";
import { times } from "../time/format.ts";

/**
 * The text of a notification in the language of the page, once `loadPart` has loaded the texts.
 * Before that, and if it has no facts, it is the notification's own English message.
 */
export const messageOf = ({
  kind,
  data,
  message,
}: Pick<Notification, "kind" | "data" | "message">): Text =>
  plain((data && texts && sentenceOf(kind, data, texts, times())) ?? message);
