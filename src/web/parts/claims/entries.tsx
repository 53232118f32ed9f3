import { addressOfSpot } from "../../../addresses.ts";
import type { OwnClaim, Phase } from "../../api/own-claims.ts";
import { type Text, t } from "../../messages/translate.ts";
import { hrefOf, updateQuery } from "../../routing.ts";
import type { Action } from "../form.tsx";
import { Link } from "../link.tsx";
import { share, toCalendar } from "./acts.ts";
import { keepPlace } from "./in-place.ts";

const openChange = ({ id }: OwnClaim): void => updateQuery({ changing: id });

interface ChangeProperties {
  readonly claim: OwnClaim;
  readonly phase: Phase;
}

/** For a claim that has begun, only the end can change. */
const changeName = (phase: Phase) => t(phase === "now" ? "claims.extend" : "claims.change");

export const ChangeButton = ({ claim, phase }: ChangeProperties) => (
  <button type="button" onClick={() => openChange(claim)}>
    {changeName(phase)}
  </button>
);

export const ChangeEntry = ({ claim, phase }: ChangeProperties) => (
  <button type="button" class="entry" onClick={() => openChange(claim)}>
    {changeName(phase)}
  </button>
);

interface EntriesProperties {
  readonly claim: OwnClaim;
  readonly phase: Phase;
  readonly action: Action;
}

/** The entries in the menu of a claim. */
export const MoreEntries = ({ claim, phase, action }: EntriesProperties) => (
  <>
    <Entry action={action} name={t("claims.calendar")} act={() => toCalendar(claim)} />
    <Entry action={action} name={t("claims.share")} act={() => share(claim)} />
    {phase === "now" && (
      <Link
        href={hrefOf(addressOfSpot({ id: claim.spot.id, spot_number: claim.spot.spotNumber }), {
          report: "1",
        })}
        class="entry"
      >
        {t("claims.stranger")}
      </Link>
    )}
  </>
);

interface EntryProperties {
  readonly name: Text;
  readonly action: Action;
  readonly act: () => Promise<void>;
  readonly isEnd?: boolean;
}

export const Entry = ({ name, action, act, isEnd = false }: EntryProperties) => (
  <button
    type="button"
    class={isEnd ? "entry alarm" : "entry"}
    onClick={({ currentTarget }) => {
      if (isEnd) keepPlace(currentTarget);
      action.run(act);
    }}
  >
    {name}
  </button>
);
