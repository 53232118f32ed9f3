import { useEffect, useState } from "preact/hooks";
import { Button } from "../../parts/controls.tsx";
import { SpanFields } from "../../parts/span-fields.tsx";
import { spanOf, type TypedSpan, typedSpan } from "../../parts/typed-span.ts";
import { updateQuery } from "../../routing.ts";
import { iso, type Span } from "../../time/zone.ts";

interface TimesProperties extends Span {
  readonly choose: (span: Span) => void;
}

/** The fields for any other time. The spots below follow what is typed. */
export function Times({ start, end, choose }: TimesProperties) {
  const [typed, setTyped] = useState(() => typedSpan({ start, end }));
  const change = (value: TypedSpan) => {
    setTyped(value);
    const span = spanOf(value);
    if (span !== undefined) choose(span);
  };
  useEffect(() => {
    // The address may have changed otherwise, such as by a step back.
    const span = spanOf(typed);
    if (span?.start !== start || span.end !== end) setTyped(typedSpan({ start, end }));
  }, [start, end]);
  const repeat = () => updateQuery({ series: "new", from: iso(start), until: iso(end) });
  return (
    <div class="stack">
      <SpanFields value={typed} change={change} />
      <Button class="plain more small-action" onClick={repeat} text="series.title" />
    </div>
  );
}
