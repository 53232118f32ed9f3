import { useState } from "preact/hooks";
import { plain, type Text, t } from "../../messages/translate.ts";
import { Entry, Pick } from "../../parts/administration/list.tsx";
import { Button, Choice } from "../../parts/controls.tsx";
import { EntryDialog } from "./list-fields.tsx";
import { type Known, type Planned, type Remark, remarksOn } from "./plan.ts";

interface PreviewProperties {
  readonly people: readonly Planned[];
  readonly known: Known;
  readonly leftOut: ReadonlySet<number>;
  readonly isJudged: boolean;
  readonly refusals: ReadonlyMap<number | undefined, Text>;
  readonly leaveOut: (indexes: ReadonlySet<number>) => void;
  readonly change: (index: number, planned: Planned) => void;
}

/** Shows row by row what will happen, and what must be corrected or left out. */
export function Preview(properties: PreviewProperties) {
  const { people, known, leftOut, isJudged, refusals, leaveOut, change } = properties;
  const [onlyWrong, showWrong] = useState(false);
  const [edited, edit] = useState<number>();
  const rows = people.map((planned, index): RowProperties => {
    const isLeftOut = leftOut.has(index);
    const refusal = refusals.get(index);
    return {
      planned,
      isLeftOut,
      isJudged,
      wrong: [
        ...(planned.differs ? [t("people.differs")] : []),
        ...(refusal === undefined ? [] : [refusal]),
      ],
      remarks: remarksOn(planned, known),
      toggle: () => {
        const others = new Set(leftOut);
        if (!others.delete(index)) others.add(index);
        leaveOut(others);
      },
      edit: () => edit(index),
    };
  });
  const wrong = rows.filter((it) => !it.isLeftOut && it.wrong.length > 0);
  const mended = edited === undefined ? undefined : people[edited];
  const isFiltered = onlyWrong && wrong.length > 0;
  return (
    <section class="stack" aria-label={t("people.preview")}>
      <h2>{t("people.preview")}</h2>
      <div class="beside controls">
        <Choice
          label="admin.show"
          value={isFiltered}
          options={[
            [false, plain(`${t("admin.all")} ${rows.length}`)],
            [true, plain(`${t("people.toMend")} ${wrong.length}`)],
          ]}
          choose={showWrong}
        />
      </div>
      <ul class="entries plan">
        {(isFiltered ? wrong : rows).map((it) => (
          <Row key={it.planned.lines.join()} {...it} />
        ))}
      </ul>
      {edited !== undefined && mended && (
        <EntryDialog
          planned={mended}
          close={() => edit(undefined)}
          save={(planned) => change(edited, planned)}
        />
      )}
    </section>
  );
}

interface RowProperties {
  readonly planned: Planned;
  readonly isLeftOut: boolean;
  readonly isJudged: boolean;
  readonly wrong: readonly Text[];
  readonly remarks: readonly Remark[];
  readonly toggle: () => void;
  readonly edit: () => void;
}

function Row(row: RowProperties) {
  const { planned, isLeftOut, toggle, edit } = row;
  const { email, full_name, apartment_number, spots } = planned;
  const rows = rowsOf(planned);
  const name = full_name || email || rows;
  const about = [
    apartment_number && t("account.apartment", { number: apartment_number }),
    full_name && email,
    ...spots.map((it) => `${it.spot_number} (${it.building_section})`),
    rows,
  ];
  return (
    <Entry
      name={name}
      badges={badgesOf(row)}
      about={about}
      pick={<Pick label={t("people.include", { name })} checked={!isLeftOut} toggle={toggle} />}
      actions={<Button aria-label={t("people.edit", { name })} onClick={edit} text="app.edit" />}
    />
  );
}

const rowsOf = ({ lines }: Planned) =>
  t("people.rows", { count: lines.length, rows: lines.join(", ") });

function badgesOf({ isLeftOut, isJudged, wrong, remarks }: RowProperties) {
  if (isLeftOut) return <span class="badge">{t("people.isLeftOut")}</span>;
  return (
    <>
      {wrong.map((text, index) => (
        <span key={index} class="badge alarm">
          {text}
        </span>
      ))}
      {isJudged && wrong.length === 0 && remarks.length === 0 && (
        <span class="badge good">{t("people.isInvited")}</span>
      )}
      {remarks.map(({ key, values }, index) => (
        <span key={index} class="badge attention">
          {t(key, values)}
        </span>
      ))}
    </>
  );
}
