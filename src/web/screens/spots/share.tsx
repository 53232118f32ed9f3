import { useState } from "preact/hooks";
import { post } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import { plain, type Text, t } from "../../messages/translate.ts";
import { Choice } from "../../parts/choice.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { FormButtons, Refusal, useAction } from "../../parts/form.tsx";
import { explain } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { useNow } from "../../time/clock.ts";
import { formatSpan } from "../../time/format.ts";
import type { Span } from "../../time/zone.ts";
import { timeZone } from "../../time/zone.ts";
import type { OwnSpot } from "./own-spots.ts";
import { type Planned, withConflicts } from "./plan.ts";
import { OnceFields, onceAtFirst, spansOfOnce } from "./share-once.tsx";
import { spansOfWeekly, WeeklyFields, weeklyAtFirst } from "./share-weekly.tsx";

interface ShareProperties {
  readonly own: OwnSpot;
  readonly close: () => void;
}

/** Shares a spot once, or at the same hours of several days. */
export function ShareDialog({ own, close }: ShareProperties) {
  const title = t("share.title", { spot: own.spot.spot_number });
  return (
    <Dialog title={title} close={close}>
      <ShareForm own={own} close={close} />
    </Dialog>
  );
}

function ShareForm({ own, close }: ShareProperties) {
  const now = useNow();
  const [isWeekly, repeat] = useState(false);
  const [once, setOnce] = useState(() => onceAtFirst(now));
  const [weekly, setWeekly] = useState(() => weeklyAtFirst(now));
  const action = useAction();
  const spans = isWeekly ? spansOfWeekly(weekly, timeZone()) : spansOfOnce(once);
  const windows = own.windows.map(({ window }) => window);
  const planned = withConflicts(spans, windows, now);
  const wanted = planned.filter(({ conflict }) => conflict === undefined);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    action.run(async () => {
      await shareAll(own.spot.id, wanted);
      close();
    });
  };
  return (
    <form class="form" onSubmit={submit}>
      <Choice
        label={t("share.how")}
        value={isWeekly}
        options={[
          [false, t("share.once")],
          [true, t("share.weekly")],
        ]}
        choose={repeat}
      />
      {isWeekly ? (
        <WeeklyFields value={weekly} change={setWeekly} />
      ) : (
        <OnceFields value={once} change={setOnce} />
      )}
      <p class="quiet small">{t("app.zone", { zone: timeZone() })}</p>
      <Preview planned={planned} isWeekly={isWeekly} />
      <Refusal action={action} />
      <FormButtons
        action={action}
        submit={isWeekly ? t("share.shareMany", { count: wanted.length }) : t("share.share")}
        disabled={wanted.length === 0}
        cancel={close}
      />
    </form>
  );
}

interface PreviewProperties {
  readonly planned: readonly Planned[];
  readonly isWeekly: boolean;
}

/** What will be shared, and what is left out and why. */
function Preview({ planned, isWeekly }: PreviewProperties) {
  const skipped = planned.filter(({ conflict }) => conflict !== undefined);
  const shown = isWeekly ? planned : skipped;
  if (shown.length === 0) return null;
  return (
    <ul class="preview" aria-label={t("share.preview")}>
      {shown.map(({ start, end, conflict }) => (
        <li key={start} class={conflict && "skipped"}>
          <span>{formatSpan(start, end)}</span>
          {conflict && <span class="badge attention">{t(`share.${conflict}`)}</span>}
        </li>
      ))}
    </ul>
  );
}

/** One after the other: what a rule refuses does not stop the rest. */
async function shareAll(spotId: string, spans: readonly Span[]): Promise<void> {
  const refusals: { readonly span: Text; readonly error: unknown }[] = [];
  for (const { start, end } of spans) {
    const times = {
      start_time: new Date(start).toISOString(),
      end_time: new Date(end).toISOString(),
    };
    try {
      await post("/availabilities", { spot_id: spotId, ...times });
    } catch (error) {
      refusals.push({ span: formatSpan(start, end), error });
    }
  }
  changed("availabilities");
  const [first] = refusals;
  if (first !== undefined && refusals.length === spans.length) throw first.error;
  if (first === undefined) toast(t("share.done", { count: spans.length }));
  else toast(plain(`${first.span}: ${explain(first.error)}`));
}
