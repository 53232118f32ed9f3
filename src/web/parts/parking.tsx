import { plain } from "../messages/translate.ts";

/** The typed name of the person who parks, and the vehicle; empty if not given. */
export interface Parking {
  readonly guest: string;
  readonly vehicle: string;
}

/** The values for a request. Empty values are left out, or are null if the request clears them. */
export const given = ({ guest, vehicle }: Parking) => ({
  ...(guest.trim() && { guest: guest.trim() }),
  ...(vehicle.trim() && { vehicle: vehicle.trim() }),
});
export const changedTo = ({ guest, vehicle }: Parking) => ({
  guest: guest.trim() || null,
  vehicle: vehicle.trim() || null,
});

interface ParkingLineProperties {
  readonly guest?: string | null | undefined;
  readonly vehicle?: string | null | undefined;
}

/** Such as `Ada Lovelace · B-AB 1234`; nothing if neither is given. */
export function ParkingLine({ guest, vehicle }: ParkingLineProperties) {
  const said = [guest, vehicle].filter(Boolean);
  return said.length > 0 ? <p class="parking">{plain(said.join(" · "))}</p> : null;
}
