import type { Invitation } from "../../api/resources.ts";
import { type Text, t } from "../../messages/translate.ts";
import { ruleText } from "../../parts/refusal-text.ts";

/** What an invited person is called. */
export const nameOf = ({ full_name, email }: Invitation): string => full_name ?? email;

/** Why a spot was not registered. The answer has only the name of the rule. */
export const refusalOf = (spot: string, rule = ""): Text =>
  t("people.taken", { spot, reason: ruleText(rule, t("people.takenRule")) });
