import { t } from "../../messages/translate.ts";
import { UnverifiedMark } from "../../parts/unverified.tsx";
import type { SlotState } from "./slots.ts";

interface LegendProperties {
  readonly states: readonly Exclude<SlotState, "over">[];
}

/** Explains the patterns and the mark of the bars. */
export const Legend = ({ states }: LegendProperties) => (
  <ul class="legend" aria-hidden="true">
    {states.map((state) => (
      <li key={state}>
        <span class={`swatch slot ${state}`} />
        {t(`slot.${state}`)}
      </li>
    ))}
    <li>
      <UnverifiedMark />
      {t("spots.unverified")}
    </li>
  </ul>
);
