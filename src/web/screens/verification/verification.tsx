import { addresses } from "../../../addresses.ts";
import { spotsToCheck } from "../../api/administration.ts";
import { useReading } from "../../api/reading.ts";
import type { Profile, Spot } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { BulkBar } from "../../parts/administration/bulk-bar.tsx";
import { describePerson, usePeople } from "../../parts/administration/people.ts";
import { matches, Search } from "../../parts/administration/search.tsx";
import { useSelection } from "../../parts/administration/selection.ts";
import { Choice } from "../../parts/choice.tsx";
import { Link } from "../../parts/link.tsx";
import { Sections } from "../../parts/sections.tsx";
import { Empty, whenRead } from "../../parts/states.tsx";
import { hrefOf, updateQuery, useRoute } from "../../routing.ts";
import { VerificationDialog } from "./dialog.tsx";
import { bySection, SpotEntry, verification } from "./entry.tsx";

type People = ReadonlyMap<string, Profile>;

/** Spots that are not verified yet, and those that are. */
export function Verification() {
  const people = usePeople();
  return whenRead(useReading(spotsToCheck), (spots) => <List spots={spots} people={people} />);
}

/** The filters by their name in the address. Without a name, the unverified spots are shown. */
const filters = {
  "": (spot: Spot) => !spot.is_verified,
  verified: (spot: Spot) => spot.is_verified,
  all: () => true,
} as const;
type Filter = keyof typeof filters;

const isFilter = (name: string): name is Filter => name in filters;

interface ListProperties {
  readonly spots: readonly Spot[];
  readonly people: People;
}

function List({ spots, people }: ListProperties) {
  const { show = "", search = "", section = "" } = useRoute().query;
  const filter = isFilter(show) ? show : "";
  const ownerOf = ({ owner_id }: Spot) => describePerson(people, owner_id);
  const shown = spots
    .filter(filters[filter])
    .filter((spot) => section === "" || spot.building_section === section)
    .filter((spot) => matches(search, spot.spot_number, spot.building_section, ownerOf(spot)))
    .toSorted(bySection);
  const selection = useSelection(shown.filter(filters[""]));
  const count = (name: Filter) => spots.filter(filters[name]).length;
  const isDone = spots.length > 0 && filter === "" && count("") === 0;
  return (
    <div class="stack">
      <div class="controls no-print">
        <Choice
          label={t("admin.show")}
          value={filter}
          options={[
            ["", plain(`${t("spots.unverified")} ${count("")}`)],
            ["verified", plain(`${t("verification.verified")} ${count("verified")}`)],
            ["all", plain(`${t("admin.all")} ${count("all")}`)],
          ]}
          choose={(name) => updateQuery({ show: name })}
        />
        <Sections spots={spots} section={section} />
        <Search hint={t("verification.searchHint")} />
      </div>
      <BulkBar
        selection={selection}
        nameOf={({ spot_number }) => spot_number}
        action={t("verification.verify")}
        act={() => selection.change(selection.chosen, verification)}
      />
      {shown.length === 0 ? (
        <Empty
          {...(isDone
            ? { title: t("verification.empty") }
            : { title: t("admin.none"), text: t("admin.noneText") })}
        />
      ) : (
        <ul class="entries">
          {shown.map((spot) => (
            <SpotEntry key={spot.id} spot={spot} owner={ownerOf(spot)} selection={selection} />
          ))}
        </ul>
      )}
      <div class="actions no-print">
        <Link href={hrefOf(addresses.signs, { all: "yes" })} class="button">
          {t("spots.signs")}
        </Link>
      </div>
      <VerificationDialog spots={spots} people={people} />
    </div>
  );
}
