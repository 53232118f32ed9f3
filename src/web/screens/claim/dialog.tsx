import { get } from "../../api/client.ts";
import { allSpots } from "../../api/lists.ts";
import { claimOf, type OwnClaim } from "../../api/own-claims.ts";
import { together, useReading } from "../../api/reading.ts";
import type { Availability } from "../../api/resources.ts";
import { allSections, limitsIn } from "../../api/sections.ts";
import { t } from "../../messages/translate.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { whenRead } from "../../parts/states.tsx";
import { useRoute } from "../../routing.ts";
import { closeClaimForm } from "./address.ts";
import { Answer } from "./answer.tsx";
import { ClaimForm } from "./form.tsx";

/** The form is part of the address, so that it survives a reload, and going back closes it. */
export function ClaimDialog() {
  const { window: windowId, claimed } = useRoute().query;
  if (claimed) return <AnswerDialog key={claimed} claimId={claimed} />;
  return windowId ? <OpenDialog key={windowId} windowId={windowId} /> : null;
}

function AnswerDialog({ claimId }: { readonly claimId: string }) {
  const reading = useReading(claimOf(claimId));
  const isThere = (claim: OwnClaim | null | undefined): claim is OwnClaim =>
    claim != null && claim.status !== "cancelled";
  const claim = reading.value?.claim;
  const title = isThere(claim)
    ? t("claim.yours", { spot: claim.spot.spotNumber })
    : t("screen.claims");
  return (
    <Dialog title={title} close={closeClaimForm}>
      {whenRead(reading, ({ claim }) =>
        isThere(claim) ? (
          <Answer claim={claim} undone={closeClaimForm} />
        ) : (
          <p>{t("claims.gone")}</p>
        ),
      )}
    </Dialog>
  );
}

function OpenDialog({ windowId }: { readonly windowId: string }) {
  const { query } = useRoute();
  const all = together({
    window: useReading({
      key: `window ${windowId}`,
      topics: ["availabilities"],
      read: () =>
        get<{ readonly availability: Availability }>(
          `/availabilities/${encodeURIComponent(windowId)}`,
        ),
    }),
    spots: useReading(allSpots),
    sections: useReading(allSections),
  });
  const { window, spots } = all.value ?? {};
  const spot = spots?.find(({ id }) => id === window?.availability.spot_id);
  const title = t("claim.title", { spot: spot?.spot_number ?? "" });
  return (
    <Dialog title={title} close={closeClaimForm}>
      {whenRead(all, ({ window, sections }) => (
        <ClaimForm
          window={window.availability}
          spot={spot}
          limits={limitsIn(spot?.building_section, sections)}
          from={query.from}
          until={query.until}
        />
      ))}
    </Dialog>
  );
}
