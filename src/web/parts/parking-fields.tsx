import { plain, t } from "../messages/translate.ts";
import { Field } from "./form.tsx";

/** The typed name of the person who parks, and the vehicle; empty if not given. */
export interface Parking {
  readonly guest: string;
  readonly vehicle: string;
}

interface ParkingFieldsProperties {
  readonly value: Parking;
  readonly change: (value: Parking) => void;
  /** The fields that the API refused. */
  readonly invalid: readonly string[];
}

export const ParkingFields = ({ value, change, invalid }: ParkingFieldsProperties) => (
  <div class="fields">
    <VehicleField
      value={value.vehicle}
      change={(vehicle) => change({ ...value, vehicle })}
      invalid={invalid.includes("vehicle")}
    />
    <Field
      name="guest"
      label={t("parking.guestOptional")}
      invalid={invalid.includes("guest")}
      control={(it) => (
        <input
          {...it}
          maxLength={200}
          autocomplete="off"
          value={value.guest}
          onInput={(event) => change({ ...value, guest: event.currentTarget.value })}
        />
      )}
    />
  </div>
);

interface VehicleFieldProperties {
  readonly value: string;
  readonly change: (value: string) => void;
  readonly invalid: boolean;
}

const VehicleField = ({ value, change, invalid }: VehicleFieldProperties) => (
  <Field
    name="vehicle"
    label={t("parking.vehicleOptional")}
    invalid={invalid}
    control={(it) => (
      <input
        {...it}
        maxLength={16}
        autocomplete="off"
        autocapitalize="characters"
        spellcheck={false}
        value={value}
        onInput={(event) => change(event.currentTarget.value)}
      />
    )}
  />
);

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
