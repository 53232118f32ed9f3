import { plain, type Text, t } from "../../messages/translate.ts";
import { formatNear } from "../../time/near.ts";
import type { ClaimAt } from "./claims-at.ts";

interface LentProperties {
  readonly claims: readonly ClaimAt[];
  readonly now: number;
}

const MOST = 6;

/** The people who have claimed the spot, and the times. */
export function Lent({ claims, now }: LentProperties) {
  const ahead = claims.filter(({ endTime }) => Date.parse(endTime) > now).slice(0, MOST);
  if (ahead.length === 0) return null;
  return (
    <div>
      <h3>{t("spots.claimed")}</h3>
      <ul class="windows">
        {ahead.map(({ id, startTime, endTime, contact }) => (
          <li key={id}>
            <span class="near">{formatNear(Date.parse(startTime), Date.parse(endTime), now)}</span>
            <span class="contact">
              {nameOf(contact)}
              {contact?.phoneNumber != null && (
                <a href={`tel:${contact.phoneNumber.replace(/[^\d+]/g, "")}`}>
                  {plain(contact.phoneNumber)}
                </a>
              )}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Such as `Clara, apartment 3B`. */
function nameOf(contact: ClaimAt["contact"]): Text | undefined {
  if (contact === null) return undefined;
  const apartment = t("account.apartment", { number: contact.apartmentNumber });
  return contact.fullName === null ? apartment : plain(`${contact.fullName}, ${apartment}`);
}
