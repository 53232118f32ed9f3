import { queryGraphQL } from "../../api/client.ts";
import type { Source } from "../../api/reading.ts";
import { plain, type Text, t } from "../../messages/translate.ts";
import { PhoneLink } from "../../parts/contact.tsx";
import { formatNear } from "../../time/near.ts";
import { now } from "../../time/now.ts";
import { iso } from "../../time/zone.ts";

/** A claim on a spot of the person, with the person who made it. */
export interface ClaimAt {
  readonly id: string;
  readonly startTime: string;
  readonly endTime: string;
  readonly contact: {
    readonly fullName: string | null;
    readonly apartmentNumber: string;
    readonly phoneNumber: string | null;
  } | null;
}

/** Further claims are not shown. */
const MOST_READ = 50;

const query = `
  query ($condition: ClaimCondition!) {
    claims(condition: $condition, first: ${MOST_READ}, orderBy: START_TIME_ASC) {
      nodes { id startTime endTime contact { fullName apartmentNumber phoneNumber } }
    }
  }
`;

interface Answer {
  readonly claims: { readonly nodes: readonly ClaimAt[] };
}

/** The claims on a spot that are not over, the next one first. */
export const claimsAt = (spotId: string): Source<readonly ClaimAt[]> => ({
  key: `claims at ${spotId}`,
  topics: ["claims"],
  read: async () => {
    const condition = { spotId, status: "active", overlapsStart: iso(now()) };
    return (await queryGraphQL<Answer>(query, { condition })).claims.nodes;
  },
});

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
              {contact?.phoneNumber != null && <PhoneLink number={contact.phoneNumber} />}
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
