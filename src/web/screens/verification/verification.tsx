import { addresses } from "../../../addresses.ts";
import { allSpots } from "../../api/lists.ts";
import { useReading } from "../../api/reading.ts";
import type { Spot } from "../../api/resources.ts";
import { t } from "../../messages/translate.ts";
import { type Group, List } from "../../parts/administration/list.tsx";
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
  const { show, section = "" } = useRoute().query;
  return whenRead(useReading(allSpots), (spots) => {
    const isDone = !show && spots.length > 0 && spots.every(({ is_verified }) => is_verified);
    return (
      <div class="stack">
        <List
          kind={spotsOf(people)}
          groups={groups}
          rows={spots
            .filter((spot) => section === "" || spot.building_section === section)
            .toSorted(bySection)}
          hint="verification.searchHint"
          textsOf={({ spot_number, building_section, owner_id }) => {
            return [spot_number, building_section, describePerson(people, owner_id)];
          }}
          empty={isDone && <Empty title="verification.empty" />}
        >
          <Sections spots={spots} section={section} />
        </List>
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
