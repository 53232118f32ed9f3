import { ApiProblem } from "../../api/problem.ts";
import { useReading } from "../../api/reading.ts";
import { t } from "../../messages/translate.ts";
import { usePeople } from "../../parts/administration/people.ts";
import { Failed } from "../../parts/states.tsx";
import { addDays } from "../../time/zone.ts";
import { ByHour } from "./by-hour.tsx";
import { BySection } from "./by-section.tsx";
import { NeverClaimedList, NeverOfferedList } from "./never.tsx";
import { PeriodControls, usePeriod } from "./period.tsx";
import { Report } from "./report.tsx";
import { report } from "./reports.ts";
import { Unmet } from "./unmet.tsx";

/** How the garage is used, and which parts of it are not used. */
export function Use() {
  const period = usePeriod();
  const people = usePeople();
  const question = {
    from: period.first,
    until: addDays(period.last, 1),
    section: period.section || undefined,
  };
  const { error } = useReading(report("use-by-hour", question));
  const controls = <PeriodControls period={period} />;
  // If one report refuses a period, all do, so the page says it once.
  if (error instanceof ApiProblem && error.status === 400) {
    return (
      <div class="stack">
        {controls}
        <Failed error={error} />
      </div>
    );
  }
  return (
    <div class="stack">
      {controls}
      <Report
        name="use-by-hour"
        title={t("use.byHour")}
        question={question}
        show={({ hours }) => <ByHour hours={hours} />}
      />
      <Report
        name="use-by-section"
        title={t("use.bySection")}
        question={{ ...question, step: period.step }}
        show={({ sections }) => <BySection uses={sections} step={period.step} />}
      />
      <Report
        name="spots-never-offered"
        title={t("use.neverOffered")}
        question={question}
        show={({ spots }) => <NeverOfferedList spots={spots} people={people} />}
      />
      <Report
        name="windows-never-claimed"
        title={t("use.neverClaimed")}
        question={question}
        show={({ windows }) => <NeverClaimedList windows={windows} people={people} />}
      />
      <Report
        name="unmet-wishes"
        title={t("use.unmet")}
        question={question}
        show={({ hours }) => <Unmet hours={hours} />}
      />
    </div>
  );
}
