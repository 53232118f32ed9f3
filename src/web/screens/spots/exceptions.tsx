import { remove } from "../../api/client.ts";
import { exceptionsSince } from "../../api/lists.ts";
import { changed } from "../../api/live.ts";
import { useMovingReading } from "../../api/reading.ts";
import type { Exception } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { Refusal, useAction } from "../../parts/form.tsx";
import { toast } from "../../parts/toasts.tsx";
import { undoOnce } from "../../parts/undo-once.ts";
import { formatSpan } from "../../time/format.ts";
import { type OwnSpot, startOfToday } from "./own-spots.ts";

interface ExceptionsProperties {
  readonly spots: readonly OwnSpot[];
  readonly now: number;
}

/** The times when the person needs spots, or is away. */
export function Exceptions({ spots, now }: ExceptionsProperties) {
  const { value = [] } = useMovingReading(exceptionsSince(startOfToday()));
  const ahead = value.filter(({ end_time }) => Date.parse(end_time) > now);
  if (ahead.length === 0) return null;
  const numbers = new Map(spots.map(({ spot }) => [spot.id, plain(spot.spot_number)]));
  return (
    <section class="stack" aria-labelledby="exceptions">
      <h2 id="exceptions">{t("exceptions.title")}</h2>
      <ul class="cards">
        {ahead.map((exception) => (
          <Line
            key={exception.id}
            exception={exception}
            spot={numbers.get(exception.spot_id ?? "") ?? t("exceptions.all")}
          />
        ))}
      </ul>
    </section>
  );
}

interface LineProperties {
  readonly exception: Exception;
  readonly spot: string;
}

function Line({ exception: { id, kind, start_time, end_time }, spot }: LineProperties) {
  const action = useAction();
  const when = formatSpan(start_time, end_time);
  const name = t(`exceptions.${kind}`, { spot });
  return (
    <li class="card line-card">
      <div>
        <p class="big">{name}</p>
        <p>{when}</p>
        <Refusal action={action} />
      </div>
      <button
        type="button"
        class="small-action"
        aria-disabled={action.busy}
        aria-label={t("exceptions.undoThis", { exception: name, span: when })}
        onClick={() => action.run(() => undo(id))}
      >
        {t("exceptions.undo")}
      </button>
    </li>
  );
}

/** Shares again what the exception withdrew, and withdraws what it shared. */
export const undo = (id: string): Promise<void> =>
  undoOnce(id, async () => {
    await remove(`/exceptions/${id}`);
    changed("exceptions", "availabilities");
    toast(t("exceptions.undone"));
    return true;
  });
