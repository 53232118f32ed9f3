import { person } from "../api/person.ts";
import { PlateField, TextField } from "./fields.tsx";
import { formValues } from "./form.tsx";
import type { Parking } from "./parking.tsx";

/** Before anybody types: the person's own car. */
export const usualVehicle = (): string | undefined => person.get()?.profile?.vehicle;

export const ParkingFields = ({ guest, vehicle }: Parking) => (
  <div class="fields">
    <PlateField name="vehicle" label="parking.vehicle" optional value={vehicle} />
    <TextField name="guest" label="parking.guest" optional autocomplete="off" value={guest} />
  </div>
);

export function parkingTyped(form: HTMLFormElement) {
  const { guest = "", vehicle = "" } = formValues(form);
  return { guest, vehicle };
}
