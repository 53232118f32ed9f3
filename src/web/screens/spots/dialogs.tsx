import { useState } from "preact/hooks";
import { t } from "../../messages/translate.ts";
import { Choice } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ActionForm, useClose } from "../../parts/form.tsx";
import { SpanFields } from "../../parts/span-fields.tsx";
import { toast } from "../../parts/toasts.tsx";
import { spanOf, typedSpan } from "../../parts/typed-span.ts";
import { closing, useRoute } from "../../routing.ts";
import { useNow } from "../../time/clock.ts";
import { type Span, timeZone } from "../../time/zone.ts";
import { ExceptionDialog } from "./exceptions.tsx";
import { type OwnSpot, shareWindow } from "./own-spots.ts";
import { onceAtFirst, withConflict } from "./plan.ts";
import { WeeklyForm } from "./weekly.tsx";

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
      {keeping && <ExceptionDialog {...exception} kind="keep" own={keeping} at={spanIn(query)} />}
      {leaving && <ExceptionDialog {...exception} kind="share" own={leaving} />}
    </>
  );
}

/** The span of the window from which the person comes. */
function spanIn({ from = "", until = "" }: Readonly<Record<string, string>>): Span | undefined {
  const span = { start: Date.parse(from), end: Date.parse(until) };
  return span.start < span.end ? span : undefined;
}

interface ShareProperties {
  readonly own: OwnSpot;
  /** The proposed span, if it is not tomorrow. */
  readonly proposed?: Span | undefined;
  readonly close: () => void;
}

function ShareDialog({ own, proposed, close }: ShareProperties) {
  const [isWeekly, repeat] = useState(false);
  return (
    <Dialog title={t("share.title", { spot: own.spot.spot_number })} close={close}>
      <Choice
        label="share.how"
        value={isWeekly}
        options={[
          [false, t("share.once")],
          [true, t("share.weekly")],
        ]}
        choose={repeat}
      />
      {isWeekly ? <WeeklyForm spotId={own.spot.id} /> : <ShareOnce own={own} proposed={proposed} />}
    </Dialog>
  );
}

function ShareOnce({ own: { spot, windows }, proposed }: Omit<ShareProperties, "close">) {
  const close = useClose();
  const now = useNow();
  const [value, change] = useState(() => (proposed ? typedSpan(proposed) : onceAtFirst(now)));
  const span = spanOf(value);
  const { conflict } = span ? withConflict(span, windows, now) : {};
  const share = async () => {
    if (span === undefined) return;
    await shareWindow(spot.id, span);
    close();
    toast(t("share.done"));
  };
  return (
    <ActionForm act={share} submit="share.share" disabled={conflict !== undefined} cancel>
      <SpanFields value={value} change={change} />
      <p class="quiet small">{t("app.zone", { zone: timeZone() })}</p>
      {conflict && <p class="notice">{t(`share.${conflict}`)}</p>}
    </ActionForm>
  );
}
