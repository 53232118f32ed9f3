import { t } from "../../messages/translate.ts";
import type { SlotState } from "./slots.ts";

interface LegendProperties {
  readonly states: readonly Exclude<SlotState, "over">[];
}

/** What the patterns of the bars mean. */
export const Legend = ({ states }: LegendProperties) => (
  <ul class="legend" aria-hidden="true">
    {states.map((state) => (
      <li key={state}>
        <span class={`swatch slot ${state}`} />
        {t(`slot.${state}`)}
      </li>
    ))}
  </ul>
);
