import { useState } from "preact/hooks";
import { put, remove } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import type { Pattern } from "../../api/resources.ts";
import { plain, type Text, t } from "../../messages/translate.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { ActionButton, ActionForm, useAction } from "../../parts/form.tsx";
import { toast } from "../../parts/toasts.tsx";
import { updateQuery } from "../../routing.ts";
import { formatted } from "../../time/format.ts";
import { startOfDay, timeZone } from "../../time/zone.ts";
import { bodyOf, planOf, WEEKDAYS } from "./plan.ts";
import { WeeklyFields, WeeklyPreview, weekdayName } from "./share.tsx";

export const Patterns = ({ patterns }: { readonly patterns: readonly Pattern[] }) => (
  <ul class="windows">
    {patterns.map((pattern) => {
      const name = described(pattern);
      return (
        <li key={pattern.id}>
          <span>{name}</span>
          <button
            type="button"
            class="small-action"
            aria-label={t("pattern.changeThis", { pattern: name })}
            onClick={() => updateQuery({ pattern: pattern.id })}
          >
            {t("app.change")}
          </button>
        </li>
      );
    })}
  </ul>
);

/** Such as `Mon, Tue · 08:00 – 18:00 · from 23 Nov 2026`. */
function described({ weekdays, starts_at, ends_at, first_day, last_day }: Pattern): Text {
  const day = (date: string) => formatted("date", startOfDay(date, timeZone()));
  const names = WEEKDAYS.flatMap((one, index) =>
    weekdays.includes(one) ? [weekdayName(index)] : [],
  );
  const dates =
    last_day === null
      ? t("pattern.from", { first: day(first_day) })
      : t("pattern.fromUntil", { first: day(first_day), last: day(last_day) });
  return plain([names.join(", "), `${starts_at} – ${ends_at}`, dates].join(" · "));
}

interface PatternDialogProperties {
  readonly pattern: Pattern;
  readonly close: () => void;
}

/** Changes or ends the weekly hours. Neighbours keep their claims. */
export const PatternDialog = ({ pattern, close }: PatternDialogProperties) => (
  <Dialog title={t("pattern.title")} close={close}>
    <PatternForm pattern={pattern} close={close} />
  </Dialog>
);

function PatternForm({ pattern, close }: PatternDialogProperties) {
  const [value, change] = useState(() => planOf(pattern));
  const action = useAction();
  const path = `/patterns/${pattern.id}`;
  const done = (text: Text) => {
    changed("patterns", "availabilities");
    close();
    toast(text);
  };
  const save = async () => {
    await put(path, bodyOf(value));
    done(t("claims.changed"));
  };
  const end = async () => {
    type Ended = { readonly claimed_availability_ids: readonly string[] };
    const { claimed_availability_ids: stay } = await remove<Ended>(path);
    done(stay.length === 0 ? t("pattern.ended") : t("pattern.endedBut", { count: stay.length }));
  };
  return (
    <ActionForm
      action={action}
      act={save}
      submit="app.save"
      disabled={value.weekdays.length === 0}
      cancel={close}
      after={<ActionButton act={end} class="plain" text="pattern.end" />}
    >
      <p>{t("pattern.text")}</p>
      <WeeklyFields value={value} change={change} />
      <p class="quiet small">{t("app.zone", { zone: timeZone() })}</p>
      {/* There is no preview while the pattern is being ended. */}
      {!action.busy && (
        <WeeklyPreview spotId={pattern.spot_id} patternId={pattern.id} plan={value} />
      )}
    </ActionForm>
  );
}
