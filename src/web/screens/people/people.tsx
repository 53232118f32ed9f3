import { useState } from "preact/hooks";
import { allInvitations, allProfiles, spotsToCheck } from "../../api/administration.ts";
import { together, useReading } from "../../api/reading.ts";
import { t } from "../../messages/translate.ts";
import { whenRead } from "../../parts/states.tsx";
import { updateQuery, useRoute } from "../../routing.ts";
import { Import } from "./import.tsx";
import { Invitations } from "./invitations.tsx";
import { Letter } from "./letter.tsx";

/** The invitations, and inviting people from a list. */
export function People() {
  const { query } = useRoute();
  const invitations = useReading(allInvitations);
  const known = together({
    profiles: useReading(allProfiles),
    spots: useReading(spotsToCheck),
  });
  const [sent, setSent] = useState<readonly string[]>();
  return whenRead(invitations, (all) => (
    <div class="stack">
      <p class="quiet">{t("people.intro")}</p>
      {query.invite === undefined ? (
        <Invitations invitations={all} tell={setSent} />
      ) : (
        whenRead(known, (it) => (
          <Import
            known={it}
            done={(addresses) => {
              setSent(addresses);
              updateQuery({ invite: undefined });
            }}
          />
        ))
      )}
      {sent !== undefined && <Letter addresses={sent} close={() => setSent(undefined)} />}
    </div>
  ));
}
