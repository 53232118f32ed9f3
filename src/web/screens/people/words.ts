import type { Invitation } from "../../api/resources.ts";
import { type Text, t } from "../../messages/translate.ts";

/** What an invited person is called. */
export const nameOf = ({ full_name, email }: Invitation): string => full_name ?? email;

/** Why a spot was not registered. A rule of the building goes by its name. */
export const refusalOf = (spot: string, rule = ""): Text =>
  t("people.taken", {
    spot,
    reason: rule === "spots_spot_number_is_unique" ? t("people.takenNumber") : rule,
  });
