import type { MessageKey } from "../../messages/en.ts";
import { plain, t } from "../../messages/translate.ts";
import type { Action } from "../../parts/form.tsx";
import { NumberField } from "../../parts/number-field.tsx";

interface Limit<Name extends string> {
  readonly name: Name;
  readonly label: MessageKey;
}

/** The limits that a section can also have. */
export const sectionLimits = [
  { name: "longest_window_days", label: "building.longestWindow" },
  { name: "horizon_days", label: "building.horizon" },
  { name: "shortest_claim_minutes", label: "building.shortestClaim" },
  { name: "longest_claim_minutes", label: "building.longestClaim" },
  { name: "claim_notice_minutes", label: "building.notice" },
  { name: "most_active_claims", label: "building.mostClaims" },
  { name: "cancellation_cutoff_minutes", label: "building.cutoff" },
] as const satisfies readonly Limit<string>[];

export const limits = [
  ...sectionLimits,
  { name: "grace_minutes", label: "building.grace" },
  { name: "offer_minutes", label: "building.offer" },
] as const satisfies readonly Limit<string>[];

type Values<Name extends string> = Readonly<Record<Name, number | null>>;

interface LimitFieldsProperties<Name extends string> {
  readonly limits: readonly Limit<Name>[];
  readonly values: Values<Name>;
  /** The values that apply if a field is empty. */
  readonly otherwise?: Values<Name>;
  readonly action: Action;
}

export const LimitFields = <Name extends string>(properties: LimitFieldsProperties<Name>) => {
  const { limits, values, otherwise, action } = properties;
  return (
    <>
      {limits.map(({ name, label }) => (
        <NumberField
          key={name}
          name={name}
          label={t(label)}
          action={action}
          min={1}
          placeholder={otherwise && plain(String(otherwise[name] ?? "–"))}
          value={values[name]}
        />
      ))}
    </>
  );
};

/** The request body that sets these limits. An empty field clears a limit. */
export const limitsTyped = (
  limits: readonly Limit<string>[],
  typed: Readonly<Record<string, string>>,
): object =>
  Object.fromEntries(limits.map(({ name }) => [name, typed[name] ? Number(typed[name]) : null]));
