import { useState } from "preact/hooks";
import { post } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import type { Claim, Exception, ExceptionKind } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { Choice } from "../../parts/choice.tsx";
import { Contact } from "../../parts/contact.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { FormButtons, Refusal, useAction } from "../../parts/form.tsx";
import { SpanFields, spanOf, typedSpan } from "../../parts/span-fields.tsx";
import { explain } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { useNow } from "../../time/clock.ts";
import { formatSpan } from "../../time/format.ts";
import { type Span, timeZone } from "../../time/zone.ts";
import { undo } from "./exceptions.tsx";
import type { OwnSpot } from "./own-spots.ts";
import { daysAtFirst } from "./share-once.tsx";
import { Touched } from "./touched.tsx";

interface ExceptionProperties {
  readonly kind: ExceptionKind;
  /** The spot whose button was pressed, and all spots of the person. */
  readonly own: OwnSpot;
  readonly all: readonly OwnSpot[];
  /** The proposed span. Without it, the form proposes the next days. */
  readonly at?: Span | undefined;
  readonly close: () => void;
}

interface Answer {
  readonly exception: Exception;
  readonly claims: readonly Claim[];
}

/** The form to say that the person needs a spot, or is away. */
export function ExceptionDialog(properties: ExceptionProperties) {
  const [claims, stay] = useState<readonly Claim[]>([]);
  return (
    <Dialog title={t(`exceptions.${properties.kind}Title`)} close={properties.close}>
      {claims.length > 0 ? (
        <Claims claims={claims} close={properties.close} />
      ) : (
        <ExceptionForm {...properties} stay={stay} />
      )}
    </Dialog>
  );
}

/** The proposed length: a day, or two weeks. */
const DAYS = { keep: 1, share: 14 } as const;

interface FormProperties extends ExceptionProperties {
  /** Keeps the dialog open to show the claims within the span. */
  readonly stay: (claims: readonly Claim[]) => void;
}

function ExceptionForm({ kind, own, all, at, close, stay }: FormProperties) {
  const now = useNow();
  const [value, change] = useState(() => (at ? typedSpan(at) : daysAtFirst(now, DAYS[kind])));
  const [isOfAll, choose] = useState(false);
  const action = useAction();
  const span = spanOf(value);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (span === undefined) return;
    action.run(async () => {
      const { exception, claims } = await post<Answer>("/exceptions", {
        kind,
        spot_id: isOfAll ? null : own.spot.id,
        start_time: new Date(span.start).toISOString(),
        end_time: new Date(span.end).toISOString(),
      });
      changed("exceptions", "availabilities");
      toast(t(`exceptions.${kind}Done`), {
        name: t("app.undo"),
        // The form is closed by then.
        run: () => undo(exception.id).catch((error: unknown) => toast(explain(error))),
      });
      if (kind === "keep" && claims.length > 0) stay(claims);
      else close();
    });
  };
  return (
    <form class="form" onSubmit={submit}>
      {all.length > 1 && (
        <Choice
          label={t("exceptions.which")}
          value={isOfAll}
          options={[
            [false, plain(own.spot.spot_number)],
            [true, t("exceptions.allMine")],
          ]}
          choose={choose}
        />
      )}
      <p>{t(`exceptions.${kind}Text`)}</p>
      <SpanFields value={value} change={change} invalid={action.invalid} />
      <p class="quiet small">{t("app.zone", { zone: timeZone() })}</p>
      {kind === "keep" && span && <Touched spots={isOfAll ? all : [own]} span={span} />}
      <Refusal action={action} />
      <FormButtons action={action} submit={t(`exceptions.${kind}Title`)} cancel={close} />
    </form>
  );
}

/** The neighbours with whom to talk. */
const Claims = ({
  claims,
  close,
}: {
  readonly claims: readonly Claim[];
  readonly close: () => void;
}) => (
  <>
    <p role="status">{t("exceptions.claims", { count: claims.length })}</p>
    <ul class="windows">
      {claims.map(({ id, start_time, end_time, status }) => (
        <li key={id}>
          <span>{formatSpan(start_time, end_time)}</span>
          {status === "active" && <Contact claimId={id} name="contact.claimer" />}
        </li>
      ))}
    </ul>
    <div class="actions">
      <button type="button" class="main-action" onClick={close}>
        {t("app.close")}
      </button>
    </div>
  </>
);
