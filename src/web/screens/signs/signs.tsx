import { correction, generate } from "lean-qr";
import { toSvgPath } from "lean-qr/extras/svg";
import { addressOfSpot } from "../../../addresses.ts";
import { useBuilding } from "../../api/building.ts";
import { allSpots } from "../../api/lists.ts";
import { person } from "../../api/person.ts";
import { useReading } from "../../api/reading.ts";
import type { Spot } from "../../api/resources.ts";
import { plain, type Text, t } from "../../messages/translate.ts";
import { Button, Choice } from "../../parts/controls.tsx";
import { Empty, whenRead } from "../../parts/states.tsx";
import { updateQuery, useRoute } from "../../routing.ts";
import { useStore } from "../../store.ts";

export function Signs() {
  const { profile } = useStore(person) ?? {};
  const { query } = useRoute();
  return whenRead(useReading(allSpots), (spots) => {
    const own = spots.filter(({ owner_id }) => owner_id === profile?.id);
    const usual = own.length === 0 ? "yes" : "no"; // an administrator may have no spot
    const isOfAll = profile?.is_admin === true && (query.all ?? usual) === "yes";
    const shown = (isOfAll ? spots : own).filter(
      ({ id }) => query.spot === undefined || id === query.spot,
    );
    return (
      <div class="stack">
        <div class="stack no-print">
          <p>{t("signs.text")}</p>
          <div class="actions">
            {profile?.is_admin === true && (
              <Choice
                label="signs.whose"
                value={isOfAll}
                options={[
                  [false, t("signs.mine")],
                  [true, t("signs.all")],
                ]}
                choose={(all) => updateQuery({ all: all ? "yes" : "no", spot: undefined })}
              />
            )}
            {shown.length > 0 && (
              <Button class="main-action" onClick={() => print()} text="signs.print" />
            )}
          </div>
        </div>
        {shown.length === 0 ? (
          <Empty title="signs.none" />
        ) : (
          <ul class="signs">
            {shown.map((spot) => (
              <Sign key={spot.id} spot={spot} />
            ))}
          </ul>
        )}
      </div>
    );
  });
}

function Sign({ spot }: { readonly spot: Spot }) {
  const { name } = useBuilding();
  const address = plain(location.origin + addressOfSpot(spot));
  return (
    <li class="stack sign">
      <p class="sign-building">{name === "" ? t("app.name") : plain(name)}</p>
      <h2 class="sign-number">{plain(spot.spot_number)}</h2>
      <p>{plain(spot.building_section)}</p>
      <QrCode address={address} />
      <p class="sign-question">{t("signs.question")}</p>
      <p class="sign-address">{plain(address.replace(/^https?:\/\//, ""))}</p>
    </li>
  );
}

/** The margin that a scanner needs around a code, in squares. */
const MARGIN = 4;

/** A QR code as a drawing. */
function QrCode({ address }: { readonly address: Text }) {
  const code = generate(address, { minCorrectionLevel: correction.M });
  const side = code.size + 2 * MARGIN;
  return (
    <svg
      class="qr"
      viewBox={`${-MARGIN} ${-MARGIN} ${side} ${side}`}
      role="img"
      aria-label={t("signs.code", { address })}
    >
      <path d={toSvgPath(code)} />
    </svg>
  );
}
