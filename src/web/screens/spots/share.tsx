import { useState } from "preact/hooks";
import { post } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import { t } from "../../messages/translate.ts";
import { Choice } from "../../parts/choice.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { FormButtons, Refusal, useAction } from "../../parts/form.tsx";
import { SpanFields, spanOf, typedSpan } from "../../parts/span-fields.tsx";
import { toast } from "../../parts/toasts.tsx";
import { useNow } from "../../time/clock.ts";
import { type Span, timeZone } from "../../time/zone.ts";
import type { OwnSpot } from "./own-spots.ts";
import { bodyOf, withConflict } from "./plan.ts";
import { onceAtFirst } from "./share-once.tsx";
import { WeeklyFields, WeeklyPreview, weeklyAtFirst } from "./share-weekly.tsx";

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
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (span === undefined) return;
    action.run(async () => {
      await post("/availabilities", {
        spot_id: spot.id,
        start_time: new Date(span.start).toISOString(),
        end_time: new Date(span.end).toISOString(),
      });
      changed("availabilities");
      close();
      toast(t("share.done"));
    });
  };
  return (
    <form class="form" onSubmit={submit}>
      <SpanFields value={value} change={change} invalid={action.invalid} />
      <p class="quiet small">{t("app.zone", { zone: timeZone() })}</p>
      {conflict && <p class="notice">{t(`share.${conflict}`)}</p>}
      <Refusal action={action} />
      <FormButtons
        action={action}
        submit={t("share.share")}
        disabled={conflict !== undefined}
        cancel={close}
      />
    </form>
  );
}

function ShareWeekly({ own: { spot }, close }: ShareProperties) {
  const now = useNow();
  const [value, change] = useState(() => weeklyAtFirst(now));
  const action = useAction();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    action.run(async () => {
      await post("/patterns", { spot_id: spot.id, ...bodyOf(value) });
      changed("patterns", "availabilities");
      close();
      toast(t("share.doneWeekly"));
    });
  };
  return (
    <form class="form" onSubmit={submit}>
      <WeeklyFields value={value} change={change} />
      <p class="quiet small">{t("app.zone", { zone: timeZone() })}</p>
      <WeeklyPreview spotId={spot.id} plan={value} />
      <Refusal action={action} />
      <FormButtons
        action={action}
        submit={t("share.shareWeekly")}
        disabled={value.weekdays.length === 0}
        cancel={close}
      />
    </form>
  );
}
