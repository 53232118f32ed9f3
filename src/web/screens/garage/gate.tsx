import { useBuilding } from "../../api/building.ts";
import { get } from "../../api/client.ts";
import { type Source, useMovingReading, useReading } from "../../api/reading.ts";
import type { Overstay, Parked } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { byNumber, Entry, matches, Search } from "../../parts/administration/list.tsx";
import { Button } from "../../parts/button.tsx";
import { Empty, whenRead } from "../../parts/states.tsx";
import { momentOf as momentTyped } from "../../parts/typed-span.ts";
import { updateQuery, useRoute } from "../../routing.ts";
import { useNow } from "../../time/clock.ts";
import { formatted } from "../../time/format.ts";
import { iso, MINUTE } from "../../time/zone.ts";

/** Says who may stand where. People at the gate search by the plate that they see. */
export function Gate() {
  const { at = "", search = "" } = useRoute().query;
  const moment = momentOf(at);
  return (
    <div class="stack">
      <div class="controls no-print">
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
      {(useBuilding().passage_days ?? 0) > 0 && <Overstays />}
      <ParkedAt key={moment ?? ""} moment={moment} search={search} />
    </div>
  );
}

const overstays: Source<{ readonly overstays: readonly Overstay[] }> = {
  key: "overstays",
  // No event says that somebody drove in or out, so it is read each minute.
  topics: ["claims", "reports"],
  read: () => get("/admin/overstays"),
};

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
    <List parked={parked.filter((it) => isFound(it, search))} />
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

function List({ parked }: { readonly parked: readonly Parked[] }) {
  if (parked.length === 0) return <Empty title="gate.none" text="gate.noneText" />;
  const sorted = parked.toSorted((a, b) => byNumber(a.spot_number, b.spot_number));
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
  const { spot_number, building_section, role, vehicle, guest, until } = parked;
  const { full_name: name, apartment_number: number } = parked;
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
      about={[building_section, guest ?? "", name ?? "", t("account.apartment", { number })]}
      actions={
        until !== null && (
          <p class="small">{t("gate.until", { moment: formatted("moment", until) })}</p>
        )
      }
    />
  );
}
