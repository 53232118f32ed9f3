import type { Topic } from "../../api/live.ts";
import { changed } from "../../api/live.ts";
import { explain } from "../states.tsx";
import { toast } from "../toasts.tsx";

/** Undoes what was just done to these rows. It reports failures, and the rows show them. */
export async function takeBack<Row>(
  rows: readonly Row[],
  one: (row: Row) => Promise<unknown>,
  topic: Topic,
): Promise<void> {
  try {
    for (const row of rows) await one(row);
  } catch (error) {
    toast(explain(error));
  } finally {
    changed(topic);
  }
}
