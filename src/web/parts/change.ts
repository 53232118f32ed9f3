import { useEffect, useRef } from "preact/hooks";
import { get, put } from "../api/client.ts";
import { ApiProblem } from "../api/problem.ts";

/** Of an answer, the row is the first member. */
type Answered = object;

interface Seen<Answer> {
  /** Where a GET shows what is changed. */
  readonly shownAt?: string;
  /** As it was read before; without it, it is read once the form is open, unless it `isNew`. */
  readonly known?: Answer | undefined;
  readonly isNew?: boolean;
}

/**
 * Changes a row on the condition that it is as it was when the form was opened. What another tab, or somebody
 * else, has changed since stays. Only where it was the same field, the person has to look: then it is refused
 * once.
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
