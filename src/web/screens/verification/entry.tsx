import { put } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import type { Spot } from "../../api/resources.ts";
import { t } from "../../messages/translate.ts";
import { Entry } from "../../parts/administration/entry.tsx";
import { byNumber } from "../../parts/administration/search.tsx";
import type { Selection } from "../../parts/administration/selection.ts";
import { takeBack } from "../../parts/administration/take-back.ts";
import { toast } from "../../parts/toasts.tsx";
import { updateQuery } from "../../routing.ts";
import { formatted } from "../../time/format.ts";

export const bySection = (a: Spot, b: Spot): number =>
  byNumber(a.building_section, b.building_section) || byNumber(a.spot_number, b.spot_number);

const unverified = ({ id }: Spot) => put(`/admin/parking-spots/${id}`, { is_verified: false });

export const verification = {
  one: ({ id }: Spot) => put(`/admin/parking-spots/${id}`, { is_verified: true }),
  after(spots: readonly Spot[]) {
    changed("spots");
    toast(t("verification.done", { count: spots.length }), {
      name: t("app.undo"),
      run: () => takeBack(spots, unverified, "spots"),
    });
  },
};

interface SpotEntryProperties {
  readonly spot: Spot;
  readonly owner: string;
  readonly selection: Selection<Spot>;
  /** The number of its claims that have not ended, if known. */
  readonly claims?: number;
}

/** A row of a list of spots. An unverified spot can be verified here. */
export const SpotEntry = ({ spot, owner, selection, claims = 0 }: SpotEntryProperties) => (
  <Entry
    row={spot}
    name={spot.spot_number}
    badges={
      <>
        {spot.is_verified ? (
          <span class="badge good">{t("verification.verified")}</span>
        ) : (
          <span class="badge attention">{t("spots.unverified")}</span>
        )}
        {claims > 0 && (
          <span class="badge attention">{t("verification.claims", { count: claims })}</span>
        )}
      </>
    }
    about={[
      spot.building_section,
      owner,
      t("accounts.since", { date: formatted("date", spot.created_at) }),
    ]}
    selection={selection}
    action={
      !spot.is_verified && {
        name: t("verification.verify"),
        label: t("verification.verifyOne", { name: spot.spot_number }),
        run: () => selection.change([spot], verification),
      }
    }
    manage={() => updateQuery({ spot: spot.id })}
  />
);
