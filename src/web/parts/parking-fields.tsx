import { person } from "../api/person.ts";
import { PlateField, TextField } from "./fields.tsx";
import type { Parking } from "./parking.tsx";

/** Before anybody types: the person's own car. */
export const usualParking = (): Parking => ({
  guest: "",
  vehicle: person.get()?.profile?.vehicle ?? "",
});

interface ParkingFieldsProperties {
  readonly value: Parking;
  readonly change: (value: Parking) => void;
}

export const ParkingFields = ({ value, change }: ParkingFieldsProperties) => (
  <div class="fields">
    <PlateField
      name="vehicle"
      label="parking.vehicleOptional"
      value={value.vehicle}
      change={(vehicle) => change({ ...value, vehicle })}
    />
    <TextField
      name="guest"
      label="parking.guestOptional"
      autocomplete="off"
      value={value.guest}
      change={(guest) => change({ ...value, guest })}
    />
  </div>
);
