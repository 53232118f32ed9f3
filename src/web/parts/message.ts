import { sentenceOf } from "../../texts/notification.ts";
import type { Notification } from "../api/resources.ts";
import { plain, type Text, texts } from "../messages/translate.ts";
import { times } from "../time/format.ts";

/**
 * What a notification says in the language of the page, once `loadPart` has loaded it. Before, and where
 * it has no facts, it says it itself, in English.
 */
export const messageOf = ({
  kind,
  data,
  message,
}: Pick<Notification, "kind" | "data" | "message">): Text =>
  plain((data && texts && sentenceOf(kind, data, texts, times())) ?? message);
