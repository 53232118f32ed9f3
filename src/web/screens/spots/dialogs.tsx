import { closing, useRoute } from "../../routing.ts";
import type { Span } from "../../time/zone.ts";
import { ExceptionDialog } from "./exceptions.tsx";
import type { OwnSpot } from "./own-spots.ts";
import { ShareDialog } from "./share.tsx";

interface SharingDialogsProperties {
  readonly spots: readonly OwnSpot[];
  /** The span that the form proposes, if it is not tomorrow. */
  readonly proposed?: (own: OwnSpot) => Span | undefined;
}

/** To share or keep a spot. The open dialog is in the address, so going back closes it. */
export function SharingDialogs({ spots, proposed }: SharingDialogsProperties) {
  const { query } = useRoute();
  const spotOf = (name: string) => spots.find(({ spot }) => spot.id === query[name]);
  const [sharing, keeping, leaving] = [spotOf("share"), spotOf("keep"), spotOf("away")];
  const close = closing("share", "keep", "away", "from", "until");
  const exception = { all: spots, close };
  return (
    <>
      {sharing && <ShareDialog own={sharing} proposed={proposed?.(sharing)} close={close} />}
      {keeping && <ExceptionDialog {...exception} kind="keep" own={keeping} at={spanOf(query)} />}
      {leaving && <ExceptionDialog {...exception} kind="share" own={leaving} />}
    </>
  );
}

/** The span of the window from which the person comes. */
function spanOf({ from = "", until = "" }: Readonly<Record<string, string>>): Span | undefined {
  const span = { start: Date.parse(from), end: Date.parse(until) };
  return span.start < span.end ? span : undefined;
}
