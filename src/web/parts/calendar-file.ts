import { get } from "../api/client.ts";
import { download } from "./download.ts";

/** Gives the person a claim as a file for their calendar. */
export async function toCalendar(claimId: string, spotNumber: string): Promise<void> {
  const file = await get<string>("/calendar.ics", { claim_id: claimId });
  download(`${spotNumber}.ics`, "text/calendar", file);
}
