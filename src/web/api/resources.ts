import type * as availabilities from "../../contract/availabilities.ts";
import type * as series from "../../contract/claim-series.ts";
import type * as claims from "../../contract/claims.ts";
import type * as exceptions from "../../contract/exceptions.ts";
import type * as favoriteSpots from "../../contract/favorite-spots.ts";
import type { ValueOf } from "../../contract/fields.ts";
import type * as gate from "../../contract/gate.ts";
import type * as invitations from "../../contract/invitations.ts";
import type * as notifications from "../../contract/notifications.ts";
import type * as parked from "../../contract/parked.ts";
import type * as patterns from "../../contract/patterns.ts";
import type * as profiles from "../../contract/profiles.ts";
import type * as residents from "../../contract/residents.ts";
import type * as sections from "../../contract/sections.ts";
import type * as spotReports from "../../contract/spot-reports.ts";
import type * as spots from "../../contract/spots.ts";
import type * as wishes from "../../contract/wishes.ts";

/** What the API answers with. The service has the schemas, and the page only their types. */

export type Availability = ValueOf<typeof availabilities.Availability>;
export type Claim = ValueOf<typeof claims.Claim>;
/** What became of a series of claims, or would become of it. */
export type ClaimedSeries = ValueOf<typeof series.ClaimedSeries>;
export type SeriesDay = ClaimedSeries["days"][number];
export type Contact = Omit<ValueOf<typeof profiles.Contact>, "role">;
export type Exception = ValueOf<typeof exceptions.Exception>;
export type ExceptionKind = Exception["kind"];
export type FavoriteSpot = ValueOf<typeof favoriteSpots.FavoriteSpot>;
export type Invitation = ValueOf<typeof invitations.Invitation>;
export type Notification = ValueOf<typeof notifications.Notification>;
export type Overstay = ValueOf<typeof gate.Overstay>;
export type Parked = ValueOf<typeof parked.Parked>;
export type Pattern = ValueOf<typeof patterns.Pattern>;
export type PatternDay = ValueOf<typeof patterns.PatternDay>;
export type Profile = ValueOf<typeof profiles.Profile>;
/** Somebody for whom the staff can claim. */
export type Resident = ValueOf<typeof residents.Resident>;
/** A limit that is null is the same as the building's. */
export type Section = ValueOf<typeof sections.Section>;
export type Spot = ValueOf<typeof spots.Spot>;
export type SpotReport = ValueOf<typeof spotReports.SpotReport>;
export type SpotAccess = ValueOf<typeof spots.SpotAccess>;
export type Weekday = Pattern["weekdays"][number];
export type Wish = ValueOf<typeof wishes.Wish>;

/** An account stays when its personal data is erased. Real addresses do not end like this. */
export const isErased = ({ email }: Pick<Profile, "email">): boolean =>
  email.endsWith("@erased.invalid");
