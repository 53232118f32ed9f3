import { useId, useState } from "preact/hooks";
import { addresses } from "../../../addresses.ts";
import { post } from "../../api/client.ts";
import { allSpots, isOpen, ownWishes } from "../../api/lists.ts";
import { useReading } from "../../api/reading.ts";
import { plain, t } from "../../messages/translate.ts";
import { Link } from "../../parts/controls.tsx";
import { SelectField } from "../../parts/fields.tsx";
import { ActionButton, Actions } from "../../parts/form.tsx";
import { rowOfSpan } from "../../parts/free.ts";
import { sectionsOf } from "../../parts/sections.tsx";
import { toast } from "../../parts/toasts.tsx";
import { formatSpan } from "../../time/format.ts";
import { MINUTE, type Span } from "../../time/zone.ts";

/** The difference that is ignored, because the present moves on while the person waits. */
const NEARLY = 30 * MINUTE;

interface WaitProperties extends Span {
  /** The section that is chosen at first. */
  readonly section: string;
  readonly now: number;
}

/** For people who find no spot that suits: the service tells them when there is one. */
export function Wait({ start, end, section: first, now }: WaitProperties) {
  const sections = sectionsOf(useReading(allSpots).value ?? []);
  const wishes = useReading(ownWishes).value ?? [];
  const [section, setSection] = useState(first);
  const id = useId();
  const waits = wishes.some(
    (wish) =>
      isOpen(wish, now) &&
      Math.abs(Date.parse(wish.start_time) - start) < NEARLY &&
      Math.abs(Date.parse(wish.end_time) - end) < NEARLY,
  );
  if (waits) {
    return (
      <section class="card stack narrow" aria-live="polite">
        <p>{t("wishes.waits")}</p>
        <div class="actions">
          <Link href={addresses.claims} class="button" text="wishes.see" />
        </div>
      </section>
    );
  }
  const ask = async () => {
    const place = section && { building_section: section };
    await post("/wishes", { ...rowOfSpan({ start, end }), ...place });
    toast(t("wishes.asked"));
  };
  return (
    <section class="card stack narrow" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{t("wishes.missing")}</h2>
      <p>{t("wishes.text", { span: formatSpan(start, end) })}</p>
      {sections.length > 1 && (
        <SelectField
          name="section"
          label="wishes.where"
          value={section}
          change={setSection}
          options={[
            ["", t("wishes.anywhere")],
            ...sections.map((name) => [name, plain(name)] as const),
          ]}
        />
      )}
      <Actions>
        <ActionButton act={ask} text="wishes.ask" />
      </Actions>
    </section>
  );
}
