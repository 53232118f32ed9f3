import { useState } from "preact/hooks";
import { post } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import { ApiProblem } from "../../api/problem.ts";
import { plain, t } from "../../messages/translate.ts";
import { Field, Refusal, useAction } from "../../parts/form.tsx";
import { explain } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { mayLeave, useUnsavedPart } from "../../parts/unsaved.ts";
import { updateQuery } from "../../routing.ts";
import { ColumnFields } from "./column-fields.tsx";
import type { List } from "./columns.ts";
import { invitationOf, type Judged, judge, type Known, type Planned, planOf } from "./plan.ts";
import { Preview } from "./preview.tsx";
import { SourceFields } from "./source-fields.tsx";

const MOST_AT_ONCE = 500;

interface ImportProperties {
  readonly known: Known;
  /** With the addresses that were invited. */
  readonly done: (addresses: readonly string[]) => void;
}

interface Answer {
  readonly invited: number;
  readonly accepted: number;
}

/** Invites the people of a list, after one has seen what will happen. */
export function Import({ known, done }: ImportProperties) {
  const [list, setList] = useState<List>();
  const [plan, setPlan] = useState<readonly Planned[]>([]);
  const [leftOut, leaveOut] = useState<ReadonlySet<number>>(new Set());
  const [section, setSection] = useState("");
  const [refusals, setRefusals] = useState<ReadonlyMap<number | undefined, string>>(new Map());
  const [isMended, setMended] = useState(false);
  const action = useAction();
  const part = useUnsavedPart(plan.length > 0);

  const read = (next: List) => {
    setMended(false);
    setList(next);
    setPlan(planOf(next));
    leaveOut(new Set());
    setRefusals(new Map());
  };
  const readColumns = (next: List) => {
    if (!isMended || confirm(t("people.readAnew"))) read(next);
    // Drawn again, the choice is the one before.
    else setList((it) => it && { ...it });
  };
  const people = plan.map((it) => withSection(it, section));
  const judged = judge(people, known, leftOut);
  const wanted = judged.filter(({ index }) => !leftOut.has(index));
  const wrong = wanted.filter((it) => it.wrong.length > 0);
  const lacksSection = plan.some(({ spots }) => spots.some((it) => it.building_section === ""));

  // A spot that two have is wrong no longer where one of them is left out for another reason.
  const wrongThemselves = wrong.filter((it) =>
    it.wrong.some(({ key }) => key !== "people.spotTwice"),
  );
  const leaveOutWrong = () => {
    const left = wrongThemselves.length > 0 ? wrongThemselves : wrong;
    leaveOut(new Set([...leftOut, ...left.map(({ index }) => index)]));
  };

  const send = () =>
    action.run(async () => {
      setRefusals(new Map());
      const invitations = wanted.map(({ planned }) => invitationOf(planned));
      const { invited, accepted } = await post<Answer>("/admin/invitations", {
        invitations,
      }).catch((error: unknown) => {
        setRefusals(refusalsIn(error, wanted));
        throw error;
      });
      changed("invitations", "profiles", "spots");
      const approved = accepted > 0 ? ` ${t("people.doneApproved", { count: accepted })}` : "";
      toast(plain(t("people.done", { count: invited }) + approved));
      done(invitations.map(({ email }) => email));
    });

  return (
    <div class="stack" ref={part}>
      <div class="actions">
        <button type="button" onClick={() => mayLeave() && updateQuery({ invite: undefined })}>
          {t("people.back")}
        </button>
      </div>
      <SourceFields read={read} />
      {list !== undefined && list.rows.length === 0 && (
        <p class="refusal" role="alert">
          {t("people.unreadable")}
        </p>
      )}
      {list !== undefined && list.rows.length > 0 && (
        <>
          <ColumnFields list={list} change={readColumns} />
          {lacksSection && (
            <Field
              name="section"
              label={t("people.section")}
              control={(it) => (
                <input
                  {...it}
                  maxLength={100}
                  value={section}
                  onInput={(event) => setSection(event.currentTarget.value.trim())}
                />
              )}
            />
          )}
          <Preview
            judged={judged}
            leftOut={leftOut}
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
            <Refusal action={action} />
            <div class="actions">
              <button
                type="button"
                class="main-action"
                aria-disabled={action.busy}
                disabled={wrong.length > 0 || wanted.length === 0 || wanted.length > MOST_AT_ONCE}
                onClick={send}
              >
                {t("people.send", { count: wanted.length })}
              </button>
              {wrong.length > 0 && (
                <button type="button" onClick={leaveOutWrong}>
                  {t("people.leaveOut")}
                </button>
              )}
            </div>
          </div>
        </>
      )}
    </div>
  );
}

/** What the service says of each, by its place in the plan: it names the place in what was sent. */
const refusalsIn = (error: unknown, sent: readonly Judged[]) =>
  new Map(
    Object.keys(error instanceof ApiProblem ? error.details : {}).map((place) => [
      sent[Number(place.split("/")[1])]?.index,
      explain(error),
    ]),
  );

/** Spots that name no section are in this one. */
const withSection = (planned: Planned, section: string): Planned => ({
  ...planned,
  spots: planned.spots.map((it) => ({
    ...it,
    building_section: it.building_section || section,
  })),
});
