import { useEffect, useState } from "preact/hooks";
import { post, postWithoutKey } from "../../api/client.ts";
import { ApiProblem } from "../../api/problem.ts";
import { hasMessage, plain, type Text, t } from "../../messages/translate.ts";
import { Button } from "../../parts/controls.tsx";
import { TextField } from "../../parts/fields.tsx";
import { Acting, ActionButton, Refusal } from "../../parts/form.tsx";
import { fieldText } from "../../parts/refusal-text.ts";
import { explain, Failed } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { updateQuery } from "../../routing.ts";
import { mayLeave, useUnsavedPart } from "../../unsaved.ts";
import type { List } from "./columns.ts";
import { ColumnFields, SourceFields } from "./list-fields.tsx";
import { invitationOf, type Known, type Planned, planOf } from "./plan.ts";
import { Preview } from "./preview.tsx";

const MOST_AT_ONCE = 500;

interface ImportProperties {
  readonly known: Known;
  readonly done: (addresses: readonly string[]) => void;
}

interface Answer {
  readonly invited: number;
  readonly accepted: number;
}

/** Invites the people of a list, after a preview of what will happen. */
export function Import({ known, done }: ImportProperties) {
  const [list, setList] = useState<List>();
  const [plan, setPlan] = useState<readonly Planned[]>([]);
  const [leftOut, leaveOut] = useState<ReadonlySet<number>>(new Set());
  const [section, setSection] = useState("");
  const [isMended, setMended] = useState(false);
  const part = useUnsavedPart(plan.length > 0);

  const read = (next: List) => {
    setMended(false);
    setList(next);
    setPlan(planOf(next));
    leaveOut(new Set());
  };
  const readColumns = (next: List) => {
    if (!isMended || confirm(t("people.readAnew"))) read(next);
    // Draws again, so that the field shows the previous choice.
    else setList((it) => it && { ...it });
  };
  const people = plan.map((it) => withSection(it, section));
  const wanted = [...people.keys()].filter((index) => !leftOut.has(index));
  const sent = wanted.flatMap((index) => people[index] ?? []);
  const [verdict, setVerdict] = useVerdict(sent.length > MOST_AT_ONCE ? [] : sent);
  const refusals = new Map(
    [...(verdict?.refusals ?? [])].map(([place, text]) => [wanted[place], text]),
  );
  const wrong = wanted.filter((index) => refusals.has(index) || people[index]?.differs);
  const lacksSection = plan.some(({ spots }) => spots.some((it) => it.building_section === ""));

  const send = async () => {
    const { invited, accepted } = await post<Answer>("/admin/invitations", bodyOf(sent)).catch(
      (error: unknown) => {
        const found = refusalsIn(error);
        if (verdict && found.size > 0) setVerdict({ ...verdict, refusals: found });
        throw error;
      },
    );
    const approved = accepted > 0 ? ` ${t("people.doneApproved", { count: accepted })}` : "";
    toast(plain(t("people.done", { count: invited }) + approved));
    done(sent.map(({ email }) => email));
  };

  return (
    <div class="stack" ref={part}>
      <div class="actions">
        <Button
          onClick={() => mayLeave() && updateQuery({ invite: undefined })}
          text="people.back"
        />
      </div>
      <SourceFields read={read} />
      {list !== undefined && list.rows.length === 0 && (
        <p class="refusal" role="alert">
          {t("people.unreadable")}
        </p>
      )}
      {list !== undefined && list.rows.length > 0 && (
        <Acting>
          <ColumnFields list={list} change={readColumns} />
          {lacksSection && (
            <TextField
              name="section"
              label="people.section"
              value={section}
              change={(typed) => setSection(typed.trim())}
            />
          )}
          <Preview
            people={people}
            known={known}
            leftOut={leftOut}
            isJudged={verdict !== undefined}
            refusals={refusals}
            leaveOut={leaveOut}
            change={(index, planned) => {
              setMended(true);
              setPlan(plan.with(index, planned));
            }}
          />
          <div class="stack send">
            {wrong.length > 0 && (
              <p class="refusal" role="status">
                {t("people.wrong", { count: wrong.length })}
              </p>
            )}
            {wanted.length > MOST_AT_ONCE && <p class="refusal">{t("people.tooMany")}</p>}
            <Refusal />
            {verdict?.error !== undefined && (
              <Failed error={verdict.error} retry={() => setVerdict(undefined)} />
            )}
            <div class="actions">
              <ActionButton
                class="main-action"
                act={send}
                disabled={!verdict || verdict.error !== undefined || wrong.length > 0}
              >
                {t("people.send", { count: wanted.length })}
              </ActionButton>
              {wrong.length > 0 && (
                <Button
                  onClick={() => leaveOut(new Set([...leftOut, ...wrong]))}
                  text="people.leaveOut"
                />
              )}
            </div>
          </div>
        </Acting>
      )}
    </div>
  );
}

const withSection = (planned: Planned, section: string): Planned => ({
  ...planned,
  spots: planned.spots.map((it) => ({
    ...it,
    building_section: it.building_section || section,
  })),
});

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
const refusalsIn = (error: unknown): ReadonlyMap<number, Text> =>
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
function useVerdict(people: readonly Planned[]) {
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
