import { nameOfDay } from "../../time/near.ts";
import { dateOf, timeZone } from "../../time/zone.ts";
import { Lane } from "../spots/lane.tsx";
import type { OwnSpot } from "../spots/own-spots.ts";
import { daysOf } from "../spots/week.ts";

/** Today and tomorrow. */
export const Days = ({ own, now }: { readonly own: OwnSpot; readonly now: number }) => (
  <div>
    {daysOf(dateOf(now, timeZone()), timeZone())
      .slice(0, 2)
      .map((day, days) => (
        <Lane key={day.date} own={own} name={nameOfDay(days)} day={day} />
      ))}
  </div>
);
