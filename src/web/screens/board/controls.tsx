import type { Spot } from "../../api/resources.ts";
import { Filters } from "./filters.tsx";
import { Strip } from "./strip.tsx";
import type { View } from "./view.ts";

interface ControlsProperties {
  readonly view: View;
  readonly today: string;
  readonly spots: readonly Spot[];
}

/** Controls for the part of the board that is shown. */
export const Controls = ({ view, today, spots }: ControlsProperties) => (
  <div class="controls board-controls no-print">
    <Strip view={view} today={today} />
    <Filters view={view} spots={spots} />
  </div>
);
