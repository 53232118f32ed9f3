import { ApiProblem } from "../../api/problem.ts";

export interface Refused<Row> {
  readonly row: Row;
  readonly error: ApiProblem;
}

/**
 * One after the other, because requests are limited for each person. What a rule refuses does not
 * stop the others; what would fail for each of them does.
 */
export async function inTurn<Row>(
  rows: readonly Row[],
  act: (row: Row) => Promise<void>,
): Promise<readonly Refused<Row>[]> {
  const refused: Refused<Row>[] = [];
  for (const row of rows) {
    try {
      await act(row);
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
