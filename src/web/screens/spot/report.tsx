import { useState } from "preact/hooks";
import { useBuilding } from "../../api/building.ts";
import { post } from "../../api/client.ts";
import { allSpots, lastReports, openReport } from "../../api/lists.ts";
import { currentClaims, phaseOf } from "../../api/own-claims.ts";
import { usePersonId } from "../../api/person.ts";
import { together, useReading } from "../../api/reading.ts";
import type { Spot, SpotReport } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { withoutEmpty } from "../../parts/empty.ts";
import { PlateField, TextField } from "../../parts/fields.tsx";
import { ActionForm, formValues } from "../../parts/form.tsx";
import { whenRead } from "../../parts/states.tsx";
import { closing, useRoute } from "../../routing.ts";
import { useNow } from "../../time/clock.ts";
import { formatNearMoment, formatted } from "../../time/format.ts";
import { soonest, usualEnd } from "../claim/times.ts";
import { Free } from "../now/free.tsx";
import { usePinned } from "../now/row.tsx";

/** Reports a stranger's car, and then says what became of it. It is part of the address. */
export function ReportDialog() {
  const { report: spotId = "" } = useRoute().query;
  const now = useNow();
  const all = together({
    spots: useReading(allSpots),
    claims: useReading(currentClaims(usePersonId())),
    reports: useReading(lastReports),
  });
  const spot = all.value?.spots.find(({ id }) => id === spotId);
  const title = t("spot.strangerTitle", { spot: spot?.spot_number ?? "" });
  return (
    <Dialog key={spotId} title={title} close={closing("report")}>
      {whenRead(all, ({ claims, reports }) => {
        const report = openReport(reports, spotId, now);
        if (spot === undefined || report === undefined) {
          return <ReportForm spotId={spotId} />;
        }
        const claim = claims.find((it) => it.spot.id === spotId && phaseOf(it, now) === "now");
        return <Reported report={report} spot={spot} until={claim?.end_time} />;
      })}
    </Dialog>
  );
}

function ReportForm({ spotId }: { readonly spotId: string }) {
  const send = async (form: HTMLFormElement) => {
    await post("/spot-reports", { spot_id: spotId, ...withoutEmpty(formValues(form)) });
  };
  return (
    <ActionForm act={send} submit="spot.strangerNow" cancel>
      <p>{t("spot.strangerText")}</p>
      <PlateField name="vehicle" label="spot.strangerPlate" optional />
      <TextField
        name="note"
        label="spot.strangerNote"
        optional
        hint="spot.strangerNoteHint"
        autocomplete="off"
      />
    </ActionForm>
  );
}

interface ReportedProperties {
  readonly report: SpotReport;
  readonly spot: Spot;
  /** The end of the person's claim of this spot. */
  readonly until: string | undefined;
}

/** When it was reported, who knows of it, and where the person can park instead. */
function Reported({ report, spot, until }: ReportedProperties) {
  const now = useNow();
  const personId = usePersonId();
  const building = useBuilding();
  const [instead] = useState(() => {
    const start = soonest(now, building);
    return { start, end: until ? Date.parse(until) : usualEnd(start, building) };
  });
  const pinned = usePinned(report.id);
  const isOwner = spot.owner_id === personId;
  const who = isOwner ? "Claimer" : "Owner";
  const isOwn = report.reporter_id === personId;
  return (
    <div class="stack">
      <p role="status" class="notice">
        {t(isOwn ? "spot.reportedAt" : `spot.reportedBy${who}`, {
          time: formatted("time", report.created_at),
        })}
        {plain(" ")}
        {/* The reporter needs no news of it. */}
        {isOwn && report.holder_id ? t(`spot.told${who}`) : t("spot.told")}
      </p>
      {instead.start < instead.end && (
        <section class="stack" aria-labelledby="instead">
          <h3 id="instead">{t("spot.instead", { until: formatNearMoment(instead.end, now) })}</h3>
          <Free wanted={instead} now={now} pinned={pinned} />
        </section>
      )}
    </div>
  );
}
