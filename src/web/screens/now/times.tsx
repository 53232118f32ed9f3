import { useState } from "preact/hooks";
import { t } from "../../messages/translate.ts";
import { SpanFields } from "../../parts/span-fields.tsx";
import { spanOf, typedSpan } from "../../parts/typed-span.ts";
import type { Span } from "../../time/zone.ts";

interface TimesProperties extends Span {
  readonly choose: (span: Span) => void;
}

/** The fields for any other time. */
export function Times({ start, end, choose }: TimesProperties) {
  const [typed, setTyped] = useState(() => typedSpan({ start, end }));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const span = spanOf(typed);
    if (span !== undefined) choose(span);
  };
  return (
    <form class="form" onSubmit={submit}>
      <SpanFields value={typed} change={setTyped} />
      <div class="actions">
        <button type="submit">{t("find.find")}</button>
      </div>
    </form>
  );
}
