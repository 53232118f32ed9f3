import { useState } from "preact/hooks";
import { plain, t } from "../../messages/translate.ts";
import { Choice } from "../../parts/choice.tsx";
import { EntryDialog } from "./entry-dialog.tsx";
import type { Judged, Planned } from "./plan.ts";

interface PreviewProperties {
  readonly judged: readonly Judged[];
  /** By their places in the plan. */
  readonly leftOut: ReadonlySet<number>;
  /** What the service refused, by place. */
  readonly refusals: ReadonlyMap<number | undefined, string>;
  readonly leaveOut: (indexes: ReadonlySet<number>) => void;
  readonly change: (index: number, planned: Planned) => void;
}

/** Row by row: what will happen, and what must be mended or left out. */
export function Preview({ judged, leftOut, refusals, leaveOut, change }: PreviewProperties) {
  const [onlyWrong, showWrong] = useState(false);
  const [edited, edit] = useState<Judged>();
  const isWrong = ({ index, wrong }: Judged) =>
    !leftOut.has(index) && (wrong.length > 0 || refusals.has(index));
  const wrong = judged.filter(isWrong);
  const isFiltered = onlyWrong && wrong.length > 0;
  const toggle = (index: number) => () => {
    const others = new Set(leftOut);
    if (!others.delete(index)) others.add(index);
    leaveOut(others);
  };
  return (
    <section class="stack" aria-label={t("people.preview")}>
      <h2>{t("people.preview")}</h2>
      <div class="controls">
        <Choice
          label={t("admin.show")}
          value={isFiltered}
          options={[
            [false, plain(`${t("admin.all")} ${judged.length}`)],
            [true, plain(`${t("people.toMend")} ${wrong.length}`)],
          ]}
          choose={showWrong}
        />
      </div>
      <ul class="entries plan">
        {(isFiltered ? wrong : judged).map((it) => (
          <Row
            key={it.index}
            judged={it}
            isLeftOut={leftOut.has(it.index)}
            refusal={refusals.get(it.index)}
            toggle={toggle(it.index)}
            edit={() => edit(it)}
          />
        ))}
      </ul>
      {edited && (
        <EntryDialog
          planned={edited.planned}
          close={() => edit(undefined)}
          save={(planned) => change(edited.index, planned)}
        />
      )}
    </section>
  );
}

interface RowProperties {
  readonly judged: Judged;
  readonly isLeftOut: boolean;
  readonly refusal: string | undefined;
  readonly toggle: () => void;
  readonly edit: () => void;
}

function Row({ judged, isLeftOut, refusal, toggle, edit }: RowProperties) {
  const { email, full_name, apartment_number, spots } = judged.planned;
  const rows = rowsOf(judged.planned);
  const name = full_name || email || rows;
  const about = [
    ...(apartment_number === "" ? [] : [t("account.apartment", { number: apartment_number })]),
    ...(full_name === "" || email === "" ? [] : [email]),
    ...spots.map((it) => `${it.spot_number} (${it.building_section})`),
    rows,
  ];
  return (
    <li class="entry-row">
      <label class="pick">
        <input
          type="checkbox"
          aria-label={t("people.include", { name })}
          checked={!isLeftOut}
          onChange={toggle}
        />
      </label>
      <div class="about">
        <p>
          <strong>{plain(name)}</strong>
          {badgesOf(judged, isLeftOut, refusal)}
        </p>
        <p class="quiet small">{plain(about.join(" · "))}</p>
      </div>
      <div class="actions">
        <button type="button" aria-label={t("people.edit", { name })} onClick={edit}>
          {t("app.edit")}
        </button>
      </div>
    </li>
  );
}

export const rowsOf = ({ lines }: Planned) =>
  t("people.rows", { count: lines.length, rows: lines.join(", ") });

function badgesOf({ wrong, remarks }: Judged, isLeftOut: boolean, refusal: string | undefined) {
  if (isLeftOut) return <span class="badge">{t("people.isLeftOut")}</span>;
  return (
    <>
      {refusal !== undefined && <span class="badge alarm">{plain(refusal)}</span>}
      {wrong.map(({ key, values }, index) => (
        <span key={index} class="badge alarm">
          {t(key, values)}
        </span>
      ))}
      {wrong.length === 0 && remarks.length === 0 && (
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
