import { useState } from "preact/hooks";
import { post } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import { t } from "../../messages/translate.ts";
import { Choice } from "../../parts/choice.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ActionForm, useAction } from "../../parts/form.tsx";
import { SpanFields } from "../../parts/span-fields.tsx";
import { toast } from "../../parts/toasts.tsx";
import { spanOf, typedSpan } from "../../parts/typed-span.ts";
import { useNow } from "../../time/clock.ts";
import { type Span, timeZone } from "../../time/zone.ts";
import { type OwnSpot, shareWindow } from "./own-spots.ts";
import { bodyOf, onceAtFirst, weeklyAtFirst, withConflict } from "./plan.ts";
import { WeeklyFields, WeeklyPreview } from "./share-weekly.tsx";

interface ShareProperties {
  readonly own: OwnSpot;
  /** The proposed span, if it is not tomorrow. */
  readonly proposed?: Span | undefined;
  readonly close: () => void;
}

/** Shares a spot once, or at the same hours on several days. */
export function ShareDialog({ own, proposed, close }: ShareProperties) {
  const [isWeekly, repeat] = useState(false);
  const Form = isWeekly ? ShareWeekly : ShareOnce;
  return (
    <Dialog title={t("share.title", { spot: own.spot.spot_number })} close={close}>
      <Choice
        label={t("share.how")}
        value={isWeekly}
        options={[
          [false, t("share.once")],
          [true, t("share.weekly")],
        ]}
        choose={repeat}
      />
      <Form own={own} proposed={proposed} close={close} />
    </Dialog>
  );
}

function ShareOnce({ own: { spot, windows }, proposed, close }: ShareProperties) {
  const now = useNow();
  const [value, change] = useState(() => (proposed ? typedSpan(proposed) : onceAtFirst(now)));
  const action = useAction();
  const span = spanOf(value);
  const { conflict } = span ? withConflict(span, windows, now) : {};
  const share = async () => {
    if (span === undefined) return;
    await shareWindow(spot.id, span);
    close();
    toast(t("share.done"));
  };
  return (
    <ActionForm
      action={action}
      act={share}
      submit={t("share.share")}
      disabled={conflict !== undefined}
      cancel={close}
    >
      <SpanFields value={value} change={change} action={action} />
      <p class="quiet small">{t("app.zone", { zone: timeZone() })}</p>
      {conflict && <p class="notice">{t(`share.${conflict}`)}</p>}
    </ActionForm>
  );
}

function ShareWeekly({ own: { spot }, close }: ShareProperties) {
  const now = useNow();
  const [value, change] = useState(() => weeklyAtFirst(now));
  const action = useAction();
  const share = async () => {
    await post("/patterns", { spot_id: spot.id, ...bodyOf(value) });
    changed("patterns", "availabilities");
    close();
    toast(t("share.doneWeekly"));
  };
  return (
    <ActionForm
      action={action}
      act={share}
      submit={t("share.shareWeekly")}
      disabled={value.weekdays.length === 0}
      cancel={close}
    >
      <WeeklyFields value={value} change={change} />
      <p class="quiet small">{t("app.zone", { zone: timeZone() })}</p>
      <WeeklyPreview spotId={spot.id} plan={value} />
    </ActionForm>
  );
}
