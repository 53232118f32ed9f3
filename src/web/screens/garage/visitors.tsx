import { useEffect, useState } from "preact/hooks";
import { type ClaimLimits, useBuilding } from "../../api/building.ts";
import { get, post, put } from "../../api/client.ts";
import { allSections, allSpots, bookingsBetween, limitsIn } from "../../api/lists.ts";
import { together, useMovingReading, useReading } from "../../api/reading.ts";
import type { Claim, Resident, Spot } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { RowDialog } from "../../parts/administration/dialog.tsx";
import { Entry } from "../../parts/administration/list.tsx";
import { Button } from "../../parts/controls.tsx";
import { withoutEmpty } from "../../parts/empty.ts";
import { Check, TextField } from "../../parts/fields.tsx";
import { ActionForm, formValues, useClose } from "../../parts/form.tsx";
import { rowOfSpan } from "../../parts/free.ts";
import { ParkingFields, parkingTyped } from "../../parts/parking-fields.tsx";
import { SpanFields } from "../../parts/span-fields.tsx";
import { Empty, explain, whenRead } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { spanOf, typedSpan } from "../../parts/typed-span.ts";
import { updateQuery } from "../../routing.ts";
import { useNow, usePaused } from "../../time/clock.ts";
import { formatNearMoment } from "../../time/format.ts";
import { soonest, stillAhead, usualEnd } from "../claim/times.ts";
import { type Result, resultsOf } from "../now/results.ts";
import { hoursAround } from "../now/spans.ts";

/** The free spots for a visitor who is here now. The staff claims one for a resident. */
export function Visitors() {
  const now = useNow();
  const building = useBuilding();
  const start = soonest(now, building);
  const wanted = { start, end: usualEnd(start, building) };
  const all = together({
    spots: useReading(allSpots),
    bookings: useMovingReading(bookingsBetween(...hoursAround(wanted))),
    sections: useReading(allSections),
  });
  return (
    <section class="stack" aria-labelledby="visitors">
      <h2 id="visitors">{t("visit.title")}</h2>
      {whenRead(all, ({ spots, bookings, sections }) => {
        const limitsOf = (spot: Spot) => limitsIn(spot.building_section, sections);
        const search = { ...wanted, now, limitsOf, personId: "", favorites: new Set<string>() };
        const results = resultsOf(bookings.availabilities, spots, { ...search, section: "" });
        return (
          <>
            <Free results={results.filter(({ isLater }) => !isLater)} now={now} />
            <RowDialog
              name="visit"
              rows={results.map((result) => ({ ...result, id: result.window.id }))}
              title="screen.garage"
              titleOf={({ spot }) => t("visit.on", { spot: spot.spot_number })}
            >
              {(result) => <VisitForm result={result} limits={limitsOf(result.spot)} />}
            </RowDialog>
          </>
        );
      })}
    </section>
  );
}

function Free({ results, now }: { readonly results: readonly Result[]; readonly now: number }) {
  if (results.length === 0) return <Empty title="find.nothing" text="find.nothingText" />;
  return (
    <ul class="entries">
      {results.map(({ id, window, spot, freeUntil }) => (
        <Entry
          key={id}
          name={spot.spot_number}
          about={[
            spot.building_section,
            t("now.freeUntil", { until: formatNearMoment(freeUntil, now) }),
            spot.notes ?? "",
          ]}
          actions={
            <Button
              aria-label={t("visit.on", { spot: spot.spot_number })}
              onClick={() => updateQuery({ visit: window.id })}
              text="visit.let"
            />
          }
        />
      ))}
    </ul>
  );
}

interface VisitFormProperties {
  readonly result: Result;
  readonly limits: ClaimLimits;
}

function VisitForm({ result, limits }: VisitFormProperties) {
  const close = useClose();
  const { window, spot, start, freeUntil } = result;
  const [typed, setTyped] = useState(() => {
    return typedSpan({ start, end: Math.min(freeUntil, usualEnd(start, limits)) });
  });
  const [resident, choose] = useState<Resident>();
  const span = spanOf(typed);
  const claim = async (form: HTMLFormElement) => {
    if (span === undefined || resident === undefined) return;
    const { claim } = await post<{ readonly claim: Claim }>("/claims", {
      availability_id: window.id,
      ...rowOfSpan(stillAhead(span, limits)),
      ...withoutEmpty(parkingTyped(form)),
      claimer_id: resident.id,
      reason: formValues(form).reason,
    });
    toast(
      t("visit.done", {
        spot: spot.spot_number,
        until: formatNearMoment(Date.parse(claim.end_time), Date.parse(claim.start_time)),
        name: describe(resident),
      }),
      () => takeBack(claim),
    );
    close();
  };
  return (
    <ActionForm act={claim} submit="visit.let" disabled={resident === undefined} cancel>
      <ResidentField chosen={resident} choose={choose} />
      <SpanFields value={typed} change={setTyped} within={{ start, end: freeUntil }} endOnly />
      <ParkingFields />
      <TextField
        name="reason"
        label="admin.reason"
        hint="visit.reasonHint"
        value={t("visit.reason")}
        required
      />
    </ActionForm>
  );
}

const takeBack = ({ id }: Claim): Promise<unknown> =>
  put(`/admin/claims/${id}`, { status: "cancelled", reason: t("visit.undone") });

const describe = ({ full_name, apartment_number: number }: Resident) =>
  plain([full_name, t("account.apartment", { number })].filter(Boolean).join(", "));

interface ResidentFieldProperties {
  readonly chosen: Resident | undefined;
  readonly choose: (resident: Resident | undefined) => void;
}

/** Finds by name or apartment whom somebody visits. The only one who is found is chosen. */
function ResidentField({ chosen, choose }: ResidentFieldProperties) {
  const [typed, type] = useState("");
  const search = usePaused(typed.trim());
  const { value, error } = useReading({
    key: `residents ${search}`,
    topics: ["profiles"],
    read: async () =>
      search === ""
        ? []
        : (await get<{ readonly residents: readonly Resident[] }>("/admin/residents", { search }))
            .residents,
  });
  useEffect(() => {
    if (typed.trim() !== search) return choose(undefined); // what was found was another text's
    if (value === undefined || value.some(({ id }) => id === chosen?.id)) return;
    choose(value.length === 1 ? value[0] : undefined);
  }, [value, typed, search]);
  const isNobody = search !== "" && value?.length === 0;
  const note = error === undefined ? isNobody && t("visit.nobody") : explain(error);
  return (
    <div class="stack">
      <TextField
        name="resident"
        label="visit.whom"
        hint="visit.whomHint"
        autocomplete="off"
        autofocus
        value={typed}
        change={type}
      />
      <p class="quiet" role="status" hidden={!note}>
        {note}
      </p>
      {value !== undefined && value.length > 0 && (
        <fieldset>
          <legend class="unseen">{t("visit.whom")}</legend>
          {value.map((it) => (
            <Check
              key={it.id}
              type="radio"
              name="claimer"
              checked={it.id === chosen?.id}
              change={() => choose(it)}
            >
              {describe(it)}
            </Check>
          ))}
        </fieldset>
      )}
    </div>
  );
}
