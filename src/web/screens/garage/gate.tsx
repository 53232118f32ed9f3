import { useBuilding } from "../../api/building.ts";
import { get } from "../../api/client.ts";
import { answer } from "../../api/lists.ts";
import { person, usePersonId } from "../../api/person.ts";
import { useMovingReading, useReading } from "../../api/reading.ts";
import type { Overstay, Parked } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { RowDialog } from "../../parts/administration/dialog.tsx";
import { Entry, ManageButton, matches, Search } from "../../parts/administration/list.tsx";
import { openReports, Reports } from "../../parts/administration/reports.tsx";
import { Phone } from "../../parts/contact.tsx";
import { Button } from "../../parts/controls.tsx";
import { byNumber } from "../../parts/sections.tsx";
import { Empty, whenRead } from "../../parts/states.tsx";
import { momentOf as momentTyped } from "../../parts/typed-span.ts";
import { updateQuery, useRoute } from "../../routing.ts";
import { useStore } from "../../store.ts";
import { useNow } from "../../time/clock.ts";
import { formatted } from "../../time/format.ts";
import { iso, MINUTE } from "../../time/zone.ts";
import { CancelForm } from "./dialog.tsx";
import { Visitors } from "./visitors.tsx";

/**
 * Says who may stand where, and where a visitor can. People at the gate search by the plate that
 * they see.
 */
export const Gate = () => (
  <div class="stack desk">
    <WhoMayPark />
    <Visitors />
  </div>
);

function WhoMayPark() {
  const { at = "", search = "" } = useRoute().query;
  const isAdmin = useStore(person)?.profile?.is_admin === true;
  const moment = momentOf(at);
  return (
    <div class="stack">
      <Strangers />
      <div class="beside controls no-print">
        <Search hint="gate.searchHint" />
        <input
          type="datetime-local"
          aria-label={t("gate.at")}
          value={at}
          onChange={(event) => updateQuery({ at: event.currentTarget.value || undefined })}
        />
        <Button
          disabled={at === ""}
          onClick={() => updateQuery({ at: undefined })}
          text="screen.now"
        />
      </div>
      {(useBuilding().passage_days ?? 0) > 0 && isAdmin && <Overstays />}
      <ParkedAt key={moment ?? ""} moment={moment} search={search} />
    </div>
  );
}

/** Administrators find them among what waits for them, too. */
function Strangers() {
  const { value } = useReading(openReports);
  if (!value?.length) return null;
  return (
    <section class="stack" aria-labelledby="strangers">
      <h2 id="strangers">{plain(`${t("waiting.reports")} ${value.length}`)}</h2>
      <Reports reports={value} />
    </section>
  );
}

/** No event says that somebody drove in or out, so it is read each minute. */
const overstays = answer<{ readonly overstays: readonly Overstay[] }>("/admin/overstays", [
  "claims",
  "reports",
]);

/** A longer list says how many there are. */
const MOST = 20;

/** The vehicles that came in and may not stand here any more, the longest first. */
function Overstays() {
  const { value } = useReading(overstays);
  if (!value?.overstays.length) return null;
  return (
    <section class="stack" aria-labelledby="overstays">
      <h2 id="overstays">{plain(`${t("gate.overstays")} ${value.overstays.length}`)}</h2>
      <ul class="entries">
        {value.overstays.slice(0, MOST).map((it) => (
          <Entry
            key={it.vehicle}
            name={it.vehicle}
            about={[
              it.ended_at === null
                ? t("gate.neverClaimed")
                : t("gate.ended", { moment: formatted("moment", it.ended_at) }),
              it.spot_number ?? "",
              it.building_section ?? "",
              t("gate.entered", { moment: formatted("moment", it.entered_at) }),
            ]}
          />
        ))}
      </ul>
    </section>
  );
}

interface ParkedAtProperties {
  readonly moment: string | undefined;
  readonly search: string;
}

function ParkedAt({ moment, search }: ParkedAtProperties) {
  // There is no event when a claim begins or ends by the clock.
  const minute = Math.floor(useNow() / MINUTE);
  const reading = useMovingReading({
    key: `parked ${moment ?? minute}`,
    topics: ["claims", "spots", "profiles"],
    read: () => get<{ readonly parked: readonly Parked[] }>("/admin/parked", { at: moment }),
  });
  return whenRead(reading, ({ parked }) => (
    <>
      <List parked={parked.filter((it) => isFound(it, search))} />
      <StayDialog parked={parked} />
    </>
  ));
}

/** The typed moment, in the time zone of the building; undefined means now. */
function momentOf(typed: string): string | undefined {
  const [date = "", time = ""] = typed.split("T");
  const moment = momentTyped({ date, time });
  return moment === undefined ? undefined : iso(moment);
}

/** The plate in the form in which the service compares plates. */
const plateOf = (text: string): string =>
  text
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^\p{Alphabetic}\p{N}]/gu, "");

const isFound = (parked: Parked, search: string): boolean => {
  const { spot_number, building_section, full_name, apartment_number, guest, vehicle } = parked;
  return (
    matches(search, spot_number, building_section, full_name, apartment_number, guest) ||
    (vehicle !== null && plateOf(vehicle).includes(plateOf(search)))
  );
};

/** Guests come first: residents know where they stand. */
function List({ parked }: { readonly parked: readonly Parked[] }) {
  if (parked.length === 0) return <Empty title="gate.none" text="gate.noneText" />;
  const sorted = parked.toSorted(
    (a, b) =>
      Number(b.guest !== null) - Number(a.guest !== null) || byNumber(a.spot_number, b.spot_number),
  );
  return (
    <div class="stack">
      <p class="quiet small" role="status">
        {t("admin.shown", { count: parked.length })}
      </p>
      <ul class="entries">
        {sorted.map((it) => (
          <Line key={it.spot_id} parked={it} />
        ))}
      </ul>
    </div>
  );
}

function Line({ parked }: { readonly parked: Parked }) {
  const { spot_number, building_section, role, vehicle, guest, until, claim_id, made_by } = parked;
  const { full_name: name, apartment_number: number, phone_number: phone } = parked;
  const personId = usePersonId();
  const isClaimer = role === "claimer";
  return (
    <Entry
      name={spot_number}
      badges={
        <>
          {vehicle !== null && <strong>{plain(vehicle)}</strong>}
          <span class={isClaimer ? "badge accent" : "badge"}>
            {t(isClaimer ? "spots.claimed" : "gate.owner")}
          </span>
        </>
      }
      about={[
        building_section,
        guest === null ? (name ?? "") : t("gate.visits", { guest, name: name ?? "" }),
        t("account.apartment", { number }),
      ]}
      actions={
        <>
          {until !== null && (
            <p class="small">{t("gate.until", { moment: formatted("moment", until) })}</p>
          )}
          {claim_id !== null && made_by === personId && (
            <ManageButton name={spot_number} manage={() => updateQuery({ stay: claim_id })} />
          )}
        </>
      }
    >
      {phone !== null && (
        <p class="small">
          <Phone number={phone} />
        </p>
      )}
    </Entry>
  );
}

/** What the person claimed for a resident, and can cancel again. */
const StayDialog = ({ parked }: { readonly parked: readonly Parked[] }) => (
  <RowDialog
    name="stay"
    rows={parked.map((it) => ({ ...it, id: it.claim_id ?? it.spot_id }))}
    title="screen.garage"
    titleOf={({ spot_number }) => plain(spot_number)}
  >
    {({ id, spot_number: spot }) => <CancelForm id={id} spot={spot} />}
  </RowDialog>
);
