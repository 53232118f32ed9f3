import { ApiProblem } from "../../api/problem.ts";
import { useReading } from "../../api/reading.ts";
import { elements, part } from "../../elements.ts";
import { t } from "../../messages/translate.ts";
import { Failed } from "../../parts/states.ts";
import { addDays } from "../../time/zone.ts";
import { usePeople } from "../administration/people.ts";
import { ByHour } from "./by-hour.ts";
import { BySection } from "./by-section.ts";
import { NeverClaimedList, NeverOfferedList } from "./never.ts";
import { PeriodControls, usePeriod } from "./period.ts";
import { Report } from "./report.ts";
import { report } from "./reports.ts";

const { div } = elements;

/** How the garage is used, and what is not used. */
export function Use() {
  const period = usePeriod();
  const people = usePeople();
  const question = {
    from: period.first,
    until: addDays(period.last, 1),
    section: period.section || undefined,
  };
  const { error } = useReading(report("use-by-hour", question));
  const controls = part(PeriodControls, { period });
  // A period that one report refuses, all refuse: it is said once.
  if (error instanceof ApiProblem && error.status === 400) {
    return div({ class: "stack" }, controls, part(Failed, { error }));
  }
  return div(
    { class: "stack" },
    controls,
    part(Report<"use-by-hour">, {
      name: "use-by-hour",
      title: t("use.byHour"),
      question,
      show: ({ hours }) => part(ByHour, { hours }),
    }),
    part(Report<"use-by-section">, {
      name: "use-by-section",
      title: t("use.bySection"),
      question: { ...question, step: period.step },
      show: ({ sections }) => part(BySection, { uses: sections, step: period.step }),
    }),
    part(Report<"spots-never-offered">, {
      name: "spots-never-offered",
      title: t("use.neverOffered"),
      question,
      show: ({ spots }) => part(NeverOfferedList, { spots, people }),
    }),
    part(Report<"windows-never-claimed">, {
      name: "windows-never-claimed",
      title: t("use.neverClaimed"),
      question,
      show: ({ windows }) => part(NeverClaimedList, { windows, people }),
    }),
  );
}
