import { plain, type Text, t } from "../../messages/translate.ts";
import { type Part, stateOf } from "../../parts/window-parts.ts";
import { formatTimes, formatted, isOneDay } from "../../time/format.ts";
import type { OwnSpot } from "./own-spots.ts";
import { type Day, placeIn } from "./week.ts";

interface Looks {
  readonly day: Day;
  /** Without this function, a bar is only a picture. */
  readonly open?: (part: Part) => void;
  /** The name of the person who claimed it. */
  readonly holderOf?: (part: Part) => string | null | undefined;
}

interface LaneProperties extends Looks {
  readonly own: OwnSpot;
  readonly name: Text;
  readonly isToday?: boolean;
}

/** A day of a spot, with a bar for each part of its windows. */
export function Lane({ own, name, isToday, ...looks }: LaneProperties) {
  return (
    <div class={isToday ? "week-day today" : "week-day"}>
      <span class="week-name">{name}</span>
      <div class="week-lane">
        {own.parts.map((part) => (
          <Bar key={part.id} part={part} {...looks} />
        ))}
      </div>
    </div>
  );
}

function Bar({ part, day, open, holderOf }: Looks & { readonly part: Part }) {
  const style = placeIn(part, day);
  if (style === undefined) return null;
  const { start, end } = part;
  const state = stateOf(part);
  const times = formatTimes(start, end);
  const meaning = t(`bar.${state}`);
  const word = plain(holderOf?.(part) || meaning);
  // The visible text comes first, because people who use voice control say it.
  const name = plain(
    [
      `${word} ${times}`,
      word !== meaning && meaning,
      isOneDay(start, end) && formatted("day", day.start),
    ]
      .filter(Boolean)
      .join(" · "),
  );
  const attributes = { class: `slot ${state}`, style, title: name, "aria-label": name };
  if (!open) return <span {...attributes} role="img" />;
  return (
    <button {...attributes} type="button" onClick={() => open(part)}>
      <span class="text">
        <span class="word">{word}</span>
        <span class="times">{plain(` ${times}`)}</span>
      </span>
    </button>
  );
}
