import type { Spot } from "../../api/resources.ts";
import { t } from "../../messages/translate.ts";
import { Choice } from "../../parts/choice.tsx";
import { Icon } from "../../parts/icons.tsx";
import { Sections } from "../../parts/sections.tsx";
import { addDays } from "../../time/zone.ts";
import { choose, spans, type View } from "./view.ts";

interface ControlsProperties {
  readonly view: View;
  readonly today: string;
  readonly spots: readonly Spot[];
}

/** What of the board is shown. */
export function Controls({ view, today, spots }: ControlsProperties) {
  return (
    <div class="controls no-print">
      <Days view={view} today={today} />
      <Choice
        label={t("board.days")}
        value={view.days}
        options={spans.map((days) => [days, t("board.span", { count: days })] as const)}
        choose={choose.days}
      />
      <Sections spots={spots} section={view.section} />
      <label class="check">
        <input
          type="checkbox"
          checked={view.onlyFree}
          onChange={(event) => choose.onlyFree(event.currentTarget.checked)}
        />
        {t("board.onlyFree")}
      </label>
      <Choice
        label={t("board.view")}
        value={view.asTable}
        options={[
          [false, t("board.asBoard")],
          [true, t("board.asTable")],
        ]}
        choose={choose.asTable}
      />
    </div>
  );
}

function Days({ view, today }: { readonly view: View; readonly today: string }) {
  const step = (days: number) => () => choose.date(addDays(view.date, days));
  return (
    <div class="days" role="group" aria-label={t("board.firstDay")}>
      <button type="button" aria-label={t("board.earlier")} onClick={step(-view.days)}>
        <Icon name="back" />
      </button>
      <input
        type="date"
        aria-label={t("board.firstDay")}
        value={view.date}
        onChange={(event) => choose.date(event.currentTarget.value || undefined)}
      />
      <button type="button" aria-label={t("board.later")} onClick={step(view.days)}>
        <Icon name="forward" />
      </button>
      <button type="button" disabled={view.date === today} onClick={() => choose.date(undefined)}>
        {t("time.today")}
      </button>
    </div>
  );
}
