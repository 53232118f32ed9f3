import { useEffect, useState } from "preact/hooks";
import { postWithoutKey } from "../../api/client.ts";
import { ApiProblem } from "../../api/problem.ts";
import { hasMessage, type Text, t } from "../../messages/translate.ts";
import { fieldText } from "../../parts/refusal-text.ts";
import { explain } from "../../parts/states.tsx";
import { invitationOf, type Planned } from "./plan.ts";

interface Verdict {
  readonly of: string;
  /** The reasons for refusing people, by their index in the list. */
  readonly refusals: ReadonlyMap<number, Text>;
  readonly error?: unknown;
}

/** Each refusal names the people whom it refuses for one reason. */
const MOST_REFUSALS = 10;
const PAUSE = 400;

export const bodyOf = (people: readonly Planned[]) => ({ invitations: people.map(invitationOf) });

/** The refused people of a request, by their index in it. */
export const refusalsIn = (error: unknown): ReadonlyMap<number, Text> =>
  new Map(
    error instanceof ApiProblem
      ? Object.entries(error.details)
          .filter(([place]) => place.startsWith("invitations/"))
          .map(([place, complaint]) => [Number(place.split("/")[1]), why(error, place, complaint)])
      : [],
  );

function why(error: ApiProblem, place: string, complaint: string): Text {
  if (error.code !== "validation_failed") return explain(error);
  const field = `people.${place.split("/").at(-1)}`;
  return fieldText(t(hasMessage(field) ? field : "nav.spots"), complaint);
}

/** Asks for the preview, then again without the refused people, until the rest would be invited. */
async function verdictOn(of: string, people: readonly Planned[]): Promise<Verdict> {
  const refusals = new Map<number, Text>();
  for (let round = 0; round < MOST_REFUSALS; round += 1) {
    const rest = [...people.keys()].filter((index) => !refusals.has(index));
    if (rest.length === 0) break;
    const asked = rest.flatMap((index) => people[index] ?? []);
    try {
      await postWithoutKey("/admin/invitations/preview", bodyOf(asked));
      break;
    } catch (error) {
      const found = refusalsIn(error);
      if (found.size === 0) return { of, refusals, error };
      for (const [place, text] of found) refusals.set(rest[place] ?? -1, text);
    }
  }
  return { of, refusals };
}

/** The last verdict, or undefined if there is none on the current list. */
export function useVerdict(people: readonly Planned[]) {
  const [verdict, setVerdict] = useState<Verdict>();
  const of = JSON.stringify(bodyOf(people));
  useEffect(() => {
    let isOver = false;
    const ask = async () => {
      const found = await verdictOn(of, people);
      if (!isOver) setVerdict(found);
    };
    const timer = people.length > 0 && verdict?.of !== of ? setTimeout(ask, PAUSE) : undefined;
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [of, verdict]);
  const known = verdict?.of === of ? verdict : undefined;
  return [known, setVerdict] as const;
}
