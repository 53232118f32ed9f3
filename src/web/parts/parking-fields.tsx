import { t } from "../messages/translate.ts";
import { PlateField, TextField } from "./fields.tsx";
import type { Action } from "./form.tsx";
import type { Parking } from "./parking.tsx";

interface ParkingFieldsProperties {
  readonly value: Parking;
  readonly change: (value: Parking) => void;
  readonly action: Action;
}

export const ParkingFields = ({ value, change, action }: ParkingFieldsProperties) => (
  <div class="fields">
    <PlateField
      name="vehicle"
      label={t("parking.vehicleOptional")}
      action={action}
      value={value.vehicle}
      change={(vehicle) => change({ ...value, vehicle })}
    />
    <TextField
      name="guest"
      label={t("parking.guestOptional")}
      action={action}
      autocomplete="off"
      value={value.guest}
      change={(guest) => change({ ...value, guest })}
    />
  </div>
);
