import { plain } from "../messages/translate.ts";

/** The name of the person who parks, and the vehicle. */
export interface Parking {
  readonly guest?: string | null | undefined;
  readonly vehicle?: string | null | undefined;
}

/** Such as `Ada Lovelace · B-AB 1234`; nothing if neither is given. */
export function ParkingLine({ guest, vehicle }: Parking) {
  const said = [guest, vehicle].filter(Boolean);
  return said.length > 0 ? <p class="parking">{plain(said.join(" · "))}</p> : null;
}
