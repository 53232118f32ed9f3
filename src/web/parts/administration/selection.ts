import { useState } from "preact/hooks";
import { asOne } from "../../api/live.ts";
import { ApiProblem } from "../../api/problem.ts";
import type { MessageKey } from "../../messages/en.ts";
import { t } from "../../messages/translate.ts";
import { useAction } from "../form.tsx";
import { toast } from "../toasts.tsx";

interface Refused<Row> {
  readonly row: Row;
  readonly error: ApiProblem;
}

export type Selection<Row extends { readonly id: string }> = ReturnType<typeof useSelection<Row>>;

export interface Change<Row> {
  readonly one: (row: Row) => Promise<unknown>;
  /** Says what was done to the rows. */
  readonly after: (rows: readonly Row[]) => void;
}

/** `rows` are the rows that can be chosen. A row that is no longer shown is no longer chosen. */
export function useSelection<Row extends { readonly id: string }>(rows: readonly Row[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  /** The rows that the API refused to change. They stay chosen. */
  const [refused, setRefused] = useState<readonly Refused<Row>[]>([]);
  /** While it is busy, the number of changed rows. */
  const [done, setDone] = useState(0);
  const action = useAction();
  const chosen = rows.filter(({ id }) => ids.has(id));
  return {
    rows,
    chosen,
    has: ({ id }: Row) => ids.has(id),
    toggle: ({ id }: Row) => setIds(ids.has(id) ? without(ids, id) : new Set([...ids, id])),
    toggleAll: () => setIds(new Set(chosen.length < rows.length ? rows.map(({ id }) => id) : [])),
    busy: action.busy,
    done,
    error: action.error,
    refused,
    change(wanted: readonly Row[], { one, after }: Change<Row>): void {
      if (action.busy) return;
      setRefused([]);
      setDone(0);
      const changed: Row[] = [];
      const all = async () => {
        const notDone = await changeEach(wanted, async (row) => {
          await one(row);
          changed.push(row);
          setDone(changed.length);
        });
        setRefused(notDone);
      };
      action.run(() => asOne(all).finally(() => changed.length > 0 && after(changed)));
    },
  };
}

const without = (ids: ReadonlySet<string>, id: string): ReadonlySet<string> =>
  new Set([...ids].filter((one) => one !== id));

/**
 * Changes one row after the other, because the requests of a person are limited. A refusal by a
 * rule does not stop the others; a failure that would affect each of them does.
 */
async function changeEach<Row>(
  rows: readonly Row[],
  change: (row: Row) => Promise<void>,
): Promise<readonly Refused<Row>[]> {
  const refused: Refused<Row>[] = [];
  for (const row of rows) {
    try {
      await change(row);
    } catch (error) {
      if (!isRefusalOfOne(error)) throw error;
      refused.push({ row, error });
    }
  }
  return refused;
}

const isRefusalOfOne = (error: unknown): error is ApiProblem =>
  error instanceof ApiProblem &&
  [400, 403, 404, 409].includes(error.status) &&
  error.code !== "administrator_required";

/** A change with what undoes it. The undoing reports failures, and the rows show them. */
export const undoable = <Row>(
  done: MessageKey,
  one: (row: Row) => Promise<unknown>,
  undo: (row: Row) => Promise<unknown>,
): Change<Row> => ({
  one,
  after(rows) {
    const takeBack = async () => {
      for (const row of rows) await undo(row);
    };
    toast(t(done, { count: rows.length }), () => asOne(takeBack));
  },
});
