import { useEffect, useRef } from "preact/hooks";
import { get, put } from "../api/client.ts";
import { ApiProblem } from "../api/problem.ts";

/** The first member of an answer is the row. */
type Answered = object;

interface Seen<Answer> {
  /** The path of the GET that shows the row. */
  readonly shownAt?: string;
  /**
   * The row as it was read before. Otherwise it is read once the form is open, unless it `isNew`.
   */
  readonly known?: Answer | undefined;
  readonly isNew?: boolean;
}

/**
 * Changes a row on the condition that it is the same as when the form was opened. Changes by
 * another tab or person to other fields stay. If the same field was changed, the service refuses
 * once, so that the person looks at it.
 */
export function useChange<Answer extends Answered>(
  path: string,
  { shownAt = path, known, isNew }: Seen<Answer> = {},
): (body: object) => Promise<Answer> {
  const seen = useRef<Promise<Answer | undefined>>(Promise.resolve(known));
  useEffect(() => {
    if (!known && !isNew) seen.current = get<Answer>(shownAt).catch(() => undefined);
  }, []);
  return async (body) => {
    const before = await seen.current;
    const send = async (as: Answer | undefined) => {
      const answer = await put<Answer>(path, body, as);
      seen.current = Promise.resolve(answer);
      return answer;
    };
    return send(before).catch(async (error) => {
      if (!(error instanceof ApiProblem && error.status === 412)) throw error;
      const now = await get<Answer>(shownAt);
      seen.current = Promise.resolve(now);
      const isSame = (name: string) => fieldOf(before, name) === fieldOf(now, name);
      if (!Object.keys(body).every(isSame)) throw error;
      return send(now);
    });
  };
}

const fieldOf = (answer: Answered | undefined, name: string): string | undefined =>
  JSON.stringify(Object.entries(Object.values(answer ?? {})[0] ?? {}).find(([it]) => it === name));
