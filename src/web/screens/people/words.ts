import type { Invitation } from "../../api/resources.ts";
import { type Text, t } from "../../messages/translate.ts";

/** The name of an invited person. */
export const nameOf = ({ full_name, email }: Invitation): string => full_name ?? email;

/** The reason why a spot was not registered. The answer has only the name of the rule. */
export const refusalOf = (spot: string, rule?: string): Text =>
  t(rule === "spots_spot_number_is_unique" ? "people.taken" : "people.refused", { spot });
