import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { eventTypes, subjects, webhookTypes } from "../../contract/events.ts";
import { markdownTable } from "../../openapi/markdown.ts";

/** docs/events.md: every type of event, and how to receive events. */
export async function eventsPage(): Promise<string> {
  const text = await readFile(join(import.meta.dirname, "events.md"), "utf8");
  const toWebhooks: readonly string[] = webhookTypes;
  const rows = Object.entries(eventTypes).map(([type, about]) => [
    `\`${type}\``,
    about,
    subjects[type.split(".")[0] ?? ""]?.title ?? "",
    toWebhooks.includes(type) ? "yes" : "no",
  ]);
  const table = markdownTable(["Type", "What happened", "`data`", "To webhooks"], rows);
  return text.replace("{{types}}", () => table);
}
