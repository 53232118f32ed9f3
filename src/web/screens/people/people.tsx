import { useState } from "preact/hooks";
import { addresses as screens } from "../../../addresses.ts";
import { useBuilding } from "../../api/building.ts";
import { allInvitations, allProfiles, allSpots } from "../../api/lists.ts";
import { together, useReading } from "../../api/reading.ts";
import { plain, t } from "../../messages/translate.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/fields.tsx";
import { whenRead } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { updateQuery, useRoute } from "../../routing.ts";
import { Import } from "./import.tsx";
import { Invitations } from "./invitations.tsx";

export function People() {
  const { query } = useRoute();
  const invitations = useReading(allInvitations);
  const known = together({
    profiles: useReading(allProfiles),
    spots: useReading(allSpots),
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

interface LetterProperties {
  readonly addresses: readonly string[];
  readonly close: () => void;
}

/** If the service sends no mail, the administrator does. */
function Letter({ addresses, close }: LetterProperties) {
  const { name } = useBuilding();
  const link = location.origin + screens.now;
  const text = t("people.letter", { building: name || t("app.name"), link });
  return (
    <Dialog title={t("people.tell")} close={close}>
      <p>{t("people.tellText")}</p>
      <Field
        name="letter"
        label="people.letterLabel"
        control={(it) => <textarea {...it} rows={9} readOnly value={text} />}
      />
      <div class="actions">
        <button type="button" class="main-action" onClick={() => copy(text)}>
          {t("people.copyText")}
        </button>
        {addresses.length > 0 && (
          <button type="button" onClick={() => copy(addresses.join(", "))}>
            {t("people.copyAddresses", { count: addresses.length })}
          </button>
        )}
      </div>
      <details>
        <summary>{t("people.addresses")}</summary>
        <p class="small">{plain(addresses.join(", "))}</p>
      </details>
    </Dialog>
  );
}

/** If the browser does not allow copying, the person can select the text. */
const copy = (text: string): Promise<void> =>
  navigator.clipboard.writeText(text).then(
    () => toast(t("claims.copied")),
    () => {},
  );
