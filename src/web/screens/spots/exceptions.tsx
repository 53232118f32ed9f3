import { useState } from "preact/hooks";
import { post, remove } from "../../api/client.ts";
import { exceptionsSince, startOfToday } from "../../api/lists.ts";
import { useMovingReading } from "../../api/reading.ts";
import type { Claim, Exception, ExceptionKind, Spot } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { Contact } from "../../parts/contact.tsx";
import { Button, Choice } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ActionButton, ActionForm, useClose } from "../../parts/form.tsx";
import { rowOfSpan } from "../../parts/free.ts";
import { SpanFields } from "../../parts/span-fields.tsx";
import { toast, undoOnce } from "../../parts/toasts.tsx";
import { spanOf, typedSpan } from "../../parts/typed-span.ts";
import { useNow } from "../../time/clock.ts";
import { formatSpan } from "../../time/format.ts";
import { type Span, timeZone } from "../../time/zone.ts";
import type { OwnSpot } from "./own-spots.ts";
import { daysAtFirst } from "./plan.ts";

interface ExceptionsProperties {
  readonly spots: readonly OwnSpot[];
  readonly now: number;
}

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
  const when = formatSpan(start_time, end_time);
  const name = t(`exceptions.${kind}`, { spot });
  return (
    <li class="card beside head-row">
      <div>
        <p class="big">{name}</p>
        <p>{when}</p>
      </div>
      <ActionButton
        class="small-action"
        aria-label={t("exceptions.undoThis", { exception: name, span: when })}
        act={() => undo(id)}
        text="app.undo"
      />
    </li>
  );
}

/** Shares again what the exception withdrew, and withdraws what it shared. */
const undo = (id: string): Promise<void> =>
  undoOnce(id, async () => {
    await remove(`/exceptions/${id}`);
    toast(t("exceptions.undone"));
    return true;
  });

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

export function ExceptionDialog(properties: ExceptionProperties) {
  const [claims, stay] = useState<readonly Claim[]>([]);
  return (
    <Dialog title={t(`exceptions.${properties.kind}Title`)} close={properties.close}>
      {claims.length > 0 ? (
        <Claims claims={claims} />
      ) : (
        <ExceptionForm {...properties} stay={stay} />
      )}
    </Dialog>
  );
}

/** The proposed length: a day, or two weeks. */
const DAYS = { keep: 1, share: 14 } as const;

interface FormProperties extends Omit<ExceptionProperties, "close"> {
  /** Keeps the dialog open to show the claims within the span. */
  readonly stay: (claims: readonly Claim[]) => void;
}

function ExceptionForm({ kind, own, all, at, stay }: FormProperties) {
  const close = useClose();
  const now = useNow();
  const [value, change] = useState(() => (at ? typedSpan(at) : daysAtFirst(now, DAYS[kind])));
  // People who are away leave all of their spots.
  const [isOfAll, choose] = useState(kind === "share" && all.length > 1);
  const span = spanOf(value);
  const save = async () => {
    if (span === undefined) return;
    const { exception, claims } = await post<Answer>("/exceptions", {
      kind,
      spot_id: isOfAll ? null : own.spot.id,
      ...rowOfSpan(span),
    });
    toast(t(`exceptions.${kind}Done`), () => undo(exception.id));
    if (kind === "keep" && claims.length > 0) stay(claims);
    else close();
  };
  return (
    <ActionForm act={save} submit={`exceptions.${kind}Now`} cancel>
      {all.length > 1 && (
        <Choice
          label="exceptions.which"
          value={isOfAll}
          options={[
            [false, plain(own.spot.spot_number)],
            [true, t("exceptions.allMine")],
          ]}
          choose={choose}
        />
      )}
      <p>{t(`exceptions.${kind}Text`)}</p>
      <SpanFields value={value} change={change} />
      <p class="quiet small">{t("app.zone", { zone: timeZone() })}</p>
      {kind === "keep" && span && <Touched spots={isOfAll ? all : [own]} span={span} />}
    </ActionForm>
  );
}

const Claims = ({ claims }: { readonly claims: readonly Claim[] }) => (
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
      <Button class="main-action" onClick={useClose()} text="app.close" />
    </div>
  </>
);

/** The windows in that time: claims of neighbours stay, and the rest is withdrawn. */
function Touched({ spots, span }: { readonly spots: readonly OwnSpot[]; readonly span: Span }) {
  const touched = spots.flatMap(({ spot, parts }) =>
    parts.flatMap(({ id, start, end, isFree, claim }) => {
      const part = { start: Math.max(start, span.start), end: Math.min(end, span.end) };
      if (part.start >= part.end || !(isFree || claim)) return [];
      return [{ id, spot, isFree, ...(isFree ? part : { start, end }) }];
    }),
  );
  const name = (spot: Spot) => (spots.length > 1 ? `${spot.spot_number}: ` : "");
  return (
    <ul class="preview" aria-label={t("share.preview")}>
      {touched.map(({ id, spot, isFree, start, end }) => (
        <li key={id}>
          <span>{plain(name(spot) + formatSpan(start, end))}</span>
          <span class={isFree ? "badge" : "badge attention"}>
            {t(isFree ? "exceptions.withdrawn" : "exceptions.claimed")}
          </span>
        </li>
      ))}
    </ul>
  );
}
