import { put } from "../../api/client.ts";
import type { Spot } from "../../api/resources.ts";
import { t } from "../../messages/translate.ts";
import { byNumber, type Kind } from "../../parts/administration/list.tsx";
import { describePerson, type People } from "../../parts/administration/people.ts";
import { undoable } from "../../parts/administration/selection.ts";
import { updateQuery } from "../../routing.ts";
import { formatted } from "../../time/format.ts";

export const bySection = (a: Spot, b: Spot): number =>
  byNumber(a.building_section, b.building_section) || byNumber(a.spot_number, b.spot_number);

const verify = (is_verified: boolean) => (spot: Spot) =>
  put(`/admin/parking-spots/${spot.id}`, { is_verified });

const verification = undoable("spots", "verification.done", verify(true), verify(false));

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
