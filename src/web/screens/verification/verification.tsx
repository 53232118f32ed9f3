import { addresses } from "../../../addresses.ts";
import { allSpots } from "../../api/lists.ts";
import { useReading } from "../../api/reading.ts";
import type { Spot } from "../../api/resources.ts";
import { t } from "../../messages/translate.ts";
import {
  Filters,
  type Group,
  groupNamed,
  matches,
  Rows,
} from "../../parts/administration/list.tsx";
import { describePerson, usePeople } from "../../parts/administration/people.ts";
import { Link } from "../../parts/link.tsx";
import { Sections } from "../../parts/sections.tsx";
import { Empty, whenRead } from "../../parts/states.tsx";
import { hrefOf, useRoute } from "../../routing.ts";
import { VerificationDialog } from "./dialog.tsx";
import { bySection, spotsOf } from "./kind.tsx";

const groups: readonly Group<Spot>[] = [
  { name: "", title: "spots.unverified", has: ({ is_verified }) => !is_verified },
  { name: "verified", title: "spots.verified", has: ({ is_verified }) => is_verified },
  { name: "all", title: "admin.all", has: () => true },
];

export function Verification() {
  const people = usePeople();
  const { show, search = "", section = "" } = useRoute().query;
  const group = groupNamed(groups, show);
  return whenRead(useReading(allSpots), (spots) => {
    const shown = spots
      .filter((spot) => group?.has(spot))
      .filter((spot) => section === "" || spot.building_section === section)
      .filter(({ spot_number, building_section, owner_id }) =>
        matches(search, spot_number, building_section, describePerson(people, owner_id)),
      )
      .toSorted(bySection);
    const isDone =
      spots.length > 0 && group?.name === "" && spots.every(({ is_verified }) => is_verified);
    return (
      <div class="stack">
        <Filters groups={groups} rows={spots} hint="verification.searchHint">
          <Sections spots={spots} section={section} />
        </Filters>
        <Rows
          kind={spotsOf(people)}
          rows={shown}
          empty={
            isDone ? (
              <Empty title="verification.empty" />
            ) : (
              <Empty title="admin.none" text="admin.noneText" />
            )
          }
        />
        <div class="actions no-print">
          <Link href={hrefOf(addresses.signs, { all: "yes" })} class="button">
            {t("spots.signs")}
          </Link>
        </div>
        <VerificationDialog spots={spots} people={people} />
      </div>
    );
  });
}
