import { addresses } from "../../../addresses.ts";
import { put, remove } from "../../api/client.ts";
import { allSpots } from "../../api/lists.ts";
import { useReading } from "../../api/reading.ts";
import type { Spot } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { Facts, FoldedReason, RowDialog } from "../../parts/administration/dialog.tsx";
import { type Group, type Kind, List } from "../../parts/administration/list.tsx";
import {
  describePerson,
  emailOf,
  type People,
  usePeople,
} from "../../parts/administration/people.ts";
import { undoable } from "../../parts/administration/selection.ts";
import { Link } from "../../parts/controls.tsx";
import { ActionButton, Actions, useClose } from "../../parts/form.tsx";
import { bySection, Sections } from "../../parts/sections.tsx";
import { Empty, whenRead } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { hrefOf, updateQuery, useRoute } from "../../routing.ts";
import { formatted } from "../../time/format.ts";

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
          <Link href={hrefOf(addresses.signs, { all: "yes" })} class="button" text="screen.signs" />
        </div>
        <VerificationDialog spots={spots} people={people} />
      </div>
    );
  });
}

const verify = (is_verified: boolean) => (spot: Spot) =>
  put(`/admin/parking-spots/${spot.id}`, { is_verified });

const verification = undoable("verification.done", verify(true), verify(false));

/**
 * An unverified spot can be verified in the list.
 * @param claims the numbers of claims that have not ended, as far as they are known
 */
export const spotsOf = (
  people: People,
  claims: ReadonlyMap<string, number> = new Map(),
): Kind<Spot> => ({
  nameOf: ({ spot_number }) => spot_number,
  badges: ({ id, is_verified }) => (
    <>
      {is_verified ? (
        <span class="badge good">{t("spots.verified")}</span>
      ) : (
        <span class="badge attention">{t("spots.unverified")}</span>
      )}
      {claims.get(id) ? (
        <span class="badge attention">
          {t("verification.claims", { count: claims.get(id) ?? 0 })}
        </span>
      ) : null}
    </>
  ),
  about: ({ building_section, owner_id, created_at }) => [
    building_section,
    describePerson(people, owner_id),
    t("accounts.since", { date: formatted("date", created_at) }),
  ],
  waits: ({ is_verified }) => !is_verified,
  action: { name: "verification.verify", label: "verification.verifyOne", run: verification },
  manage: ({ id }) => updateQuery({ spot: id }),
});

interface VerificationDialogProperties {
  readonly spots: readonly Spot[];
  readonly people: People;
}

export const VerificationDialog = ({ spots, people }: VerificationDialogProperties) => (
  <RowDialog
    name="spot"
    rows={spots}
    title="screen.verification"
    titleOf={({ spot_number }) => plain(spot_number)}
  >
    {(spot) => {
      const owner = people.get(spot.owner_id);
      return (
        <div class="stack">
          <Facts
            entries={[
              [t("board.section"), plain(spot.building_section)],
              [t("verification.owner"), plain(describePerson(people, spot.owner_id))],
              [t("people.email"), owner && emailOf(owner)],
              [t("profile.phone"), owner?.phone_number && plain(owner.phone_number)],
            ]}
          />
          <Verify spot={spot} />
          <FoldedReason
            title="verification.remove"
            text="verification.removeText"
            button="spots.removeNow"
            act={async (reason) => {
              await remove(`/admin/parking-spots/${spot.id}`, { reason });
              toast(t("verification.removed", { spot: spot.spot_number }));
            }}
          />
        </div>
      );
    }}
  </RowDialog>
);

function Verify({ spot }: { readonly spot: Spot }) {
  const close = useClose();
  const is_verified = !spot.is_verified;
  const save = async () => {
    await put(`/admin/parking-spots/${spot.id}`, { is_verified });
    const taken = t("verification.takenBack", { spot: spot.spot_number });
    toast(is_verified ? t("verification.done", { count: 1 }) : taken);
    close();
  };
  return (
    <Actions>
      <ActionButton
        act={save}
        class={is_verified ? "main-action" : undefined}
        text={is_verified ? "verification.verify" : "verification.takeBack"}
      />
    </Actions>
  );
}
