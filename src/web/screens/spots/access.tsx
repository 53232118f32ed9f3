import { get, put } from "../../api/client.ts";
import { useReading } from "../../api/reading.ts";
import type { Spot, SpotAccess } from "../../api/resources.ts";
import { t } from "../../messages/translate.ts";
import { Field } from "../../parts/form.tsx";
import { whenRead } from "../../parts/states.tsx";

interface AccessFieldProperties {
  readonly spot: Spot;
  /** The fields that the API refused. */
  readonly invalid: readonly string[];
}

const pathOf = ({ id }: Spot): string => `/parking-spots/${id}/access`;

/** Notes for people who have claimed the spot. They are separate: everybody reads the spot. */
export function AccessField({ spot, invalid }: AccessFieldProperties) {
  const reading = useReading({
    key: `access ${spot.id}`,
    // Without the topic of spots: a removed spot has no access notes, and reading them would be
    // refused.
    topics: ["spotAccess"],
    read: () => get<{ readonly access: SpotAccess }>(pathOf(spot)),
  });
  // Saving an old value would undo later changes.
  const current = reading.isOld ? { error: reading.error } : reading;
  return whenRead(current, ({ access }) => (
    <Field
      name="access_notes"
      label={t("spots.access")}
      hint={t("spots.accessHint")}
      invalid={invalid.includes("access_notes")}
      control={(it) => <input {...it} maxLength={300} defaultValue={access.access_notes ?? ""} />}
    />
  ));
}

export const putAccess = (spot: Spot, typed: string): Promise<unknown> =>
  put(pathOf(spot), { access_notes: typed || null });
