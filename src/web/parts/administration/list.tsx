import type { Child } from "../../jsx.ts";
import type { MessageKey } from "../../messages/en.ts";
import { plain, type Text, t } from "../../messages/translate.ts";
import { updateQuery, useRoute } from "../../routing.ts";
import { formatted } from "../../time/format.ts";
import { Button, Choice } from "../controls.tsx";
import { Empty, explain } from "../states.tsx";
import { type Change, type Selection, useSelection } from "./selection.ts";

interface Row {
  readonly id: string;
}

interface RowAction<It> {
  readonly name: MessageKey;
  readonly label: MessageKey;
  readonly run: It;
}

/** What administrators see of the rows of a list, and do with them. */
export interface Kind<It extends Row> {
  readonly nameOf: (row: It) => string;
  readonly badges: (row: It) => Child;
  readonly about: (row: It) => readonly string[];
  /** Whether the row waits for the action. */
  readonly waits: (row: It) => boolean;
  /** For one row, or for several together. */
  readonly action: RowAction<Change<It>>;
  readonly other?: RowAction<(row: It) => void>;
  readonly manage: (row: It) => void;
}

interface RowsProperties<It extends Row> {
  readonly kind: Kind<It>;
  readonly rows: readonly It[];
  /** Why nobody can act on the rows here. */
  readonly note?: Text | false | undefined;
  /** Shown instead of a list without rows. */
  readonly empty?: Child;
}

/** A list of rows, those that wait with a box, and the bar to act on several of them. */
export function Rows<It extends Row>({ kind, rows, note, empty }: RowsProperties<It>) {
  const selection = useSelection(note ? [] : rows.filter(kind.waits));
  return (
    <>
      {note ? <p class="quiet">{note}</p> : <BulkBar kind={kind} selection={selection} />}
      {rows.length === 0 ? (
        empty
      ) : (
        <ul class="entries">
          {rows.map((row) => (
            <Line key={row.id} row={row} kind={kind} selection={selection} canAct={!note} />
          ))}
        </ul>
      )}
    </>
  );
}

interface SelectionProperties<It extends Row> {
  readonly kind: Kind<It>;
  readonly selection: Selection<It>;
}

/** The bar above a list: people choose all rows there, and change the chosen ones together. */
function BulkBar<It extends Row>({ kind, selection }: SelectionProperties<It>) {
  const { rows, chosen, busy, done, refused, error } = selection;
  const count = chosen.length;
  const isAll = rows.length > 0 && count === rows.length;
  return (
    <div class="stack bulk no-print">
      {rows.length > 0 && (
        <div class="card beside head-row bulk-bar">
          <label class="check">
            <input
              type="checkbox"
              checked={isAll}
              indeterminate={count > 0 && !isAll}
              disabled={busy}
              onChange={selection.toggleAll}
            />
            {t("admin.selectAll", { count: rows.length })}
          </label>
          <span class="quiet" role="status">
            {busy
              ? t("admin.progress", { done, count })
              : count > 0 && t("admin.selected", { count })}
          </span>
          <Button
            class="main-action"
            aria-disabled={busy || count === 0}
            onClick={() => count > 0 && selection.change(chosen, kind.action.run)}
          >
            {t(kind.action.name)}
          </Button>
        </div>
      )}
      {error !== undefined && (
        <p class="refusal" role="alert">
          {explain(error)}
        </p>
      )}
      {refused.length > 0 && (
        <ul class="refusal" role="alert">
          {refused.map(({ row, error }) => (
            <li key={row.id}>
              {t("admin.refused", { name: kind.nameOf(row), reason: explain(error) })}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface LineProperties<It extends Row> extends SelectionProperties<It> {
  readonly row: It;
  readonly canAct: boolean;
}

function Line<It extends Row>({ row, kind, selection, canAct }: LineProperties<It>) {
  const name = kind.nameOf(row);
  const isAsked = canAct && kind.waits(row);
  const button = ({ name: key, label }: RowAction<unknown>, run: () => void) => (
    <Button
      aria-label={t(label, { name })}
      aria-disabled={selection.busy}
      onClick={run}
      text={key}
    />
  );
  const { action, other } = kind;
  const pick = isAsked && (
    <Pick
      label={t("admin.select", { name })}
      checked={selection.has(row)}
      disabled={selection.busy}
      toggle={() => selection.toggle(row)}
    />
  );
  const actions = (
    <>
      {isAsked && button(action, () => selection.change([row], action.run))}
      {isAsked && other && button(other, () => other.run(row))}
      <ManageButton name={name} manage={() => kind.manage(row)} />
    </>
  );
  const [badges, about] = [kind.badges(row), kind.about(row)];
  return <Entry name={name} badges={badges} about={about} pick={pick} actions={actions} />;
}

interface ManageButtonProperties {
  readonly name: string;
  readonly manage: () => void;
}

export const ManageButton = ({ name, manage }: ManageButtonProperties) => (
  <Button aria-label={t("admin.manageOne", { name })} onClick={manage} text="admin.manage" />
);

/** The groups of a list, by their names in the address. The first one is shown at first. */
export interface Group<It> {
  readonly name: string;
  readonly title: MessageKey;
  readonly has: (row: It) => boolean;
}

interface ListProperties<It extends Row> extends RowsProperties<It> {
  readonly groups: readonly Group<It>[];
  readonly hint: MessageKey;
  /** The texts in which the search looks. */
  readonly textsOf: (row: It) => readonly (string | null | undefined)[];
  /** More filters. */
  readonly children?: Child;
}

/** The rows of the group that is chosen in the address, and in which the search finds its words. */
export function List<It extends Row>(properties: ListProperties<It>) {
  const { groups, hint, textsOf, rows, empty, children, ...others } = properties;
  const { show, search = "" } = useRoute().query;
  const group = groups.find(({ name }) => name === show) ?? groups[0];
  const shown = rows.filter((row) => group?.has(row) && matches(search, ...textsOf(row)));
  return (
    <>
      <div class="beside controls no-print">
        <Choice
          label="admin.show"
          value={group?.name}
          options={groups.map(({ name, title, has }) => {
            return [name, plain(`${t(title)} ${rows.filter(has).length}`)] as const;
          })}
          choose={(show) => updateQuery({ show })}
        />
        {children}
        <Search hint={hint} />
      </div>
      <Rows
        {...others}
        rows={shown}
        empty={empty || <Empty title="admin.none" text="admin.noneText" />}
      />
    </>
  );
}

/** The search text is in the address, so it survives a reload. */
export const Search = ({ hint }: { readonly hint: MessageKey }) => (
  <input
    type="search"
    class="search"
    aria-label={t("admin.search")}
    placeholder={t(hint)}
    value={useRoute().query.search ?? ""}
    onInput={(event) => updateQuery({ search: event.currentTarget.value }, { replace: true })}
  />
);

/** Whether the texts contain all words of the search. */
export function matches(search: string, ...texts: readonly (string | null | undefined)[]): boolean {
  const text = texts.join(" ").toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

interface EntryProperties {
  readonly name: string;
  readonly badges?: Child;
  /** What is known about it, in one line. */
  readonly about: readonly string[];
  /** The box to choose it. */
  readonly pick?: Child;
  readonly actions?: Child;
  readonly children?: Child;
}

/** A row of a list of class `entries`. */
export const Entry = ({ name, badges, about, pick, actions, children }: EntryProperties) => (
  <li class="beside entry-row">
    {pick}
    <div class="about">
      <p class="beside">
        <strong>{plain(name)}</strong>
        {badges}
      </p>
      <p class="quiet small">{plain(about.filter(Boolean).join(" · "))}</p>
      {children}
    </div>
    {actions && <div class="actions">{actions}</div>}
  </li>
);

interface PickProperties {
  readonly label: Text;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly toggle: () => void;
}

export const Pick = ({ label, toggle, ...box }: PickProperties) => (
  <label class="pick">
    <input {...box} type="checkbox" aria-label={label} onChange={toggle} />
  </label>
);

export const lastUse = (used: string | null): Text =>
  used === null ? t("passkeys.unused") : t("passkeys.used", { moment: formatted("moment", used) });
