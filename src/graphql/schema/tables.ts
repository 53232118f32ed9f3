import { Availability, AvailabilityFilter } from "../../contract/availabilities.ts";
import { Building } from "../../contract/building.ts";
import { Claim, ClaimFilter } from "../../contract/claims.ts";
import { Notification, NotificationFilter } from "../../contract/notifications.ts";
import { Contact, Profile, ProfileFilter } from "../../contract/profiles.ts";
import type { Requirement } from "../../contract/route.ts";
import { Nothing, type ObjectSchema, type ResourceSchema } from "../../contract/schemas.ts";
import { Spot, SpotFilter } from "../../contract/spots.ts";

/** What GraphQL shows of one table. */
export interface Exposure {
  /** The name of its row type. */
  readonly type: string;
  /** What reading one row of it requires, and what reading a list of rows requires. */
  readonly requires: { readonly row: Requirement; readonly list: Requirement };
  /** Its columns are the fields of the REST resource; GraphQL has no others. */
  readonly shows: ResourceSchema;
  /** Its conditions are the filters of the REST list. */
  readonly filters: ObjectSchema;
  /** Without lists, and without a field that finds a row by its key: other fields lead to its rows. */
  readonly isListed?: false;
  /** Whether sums over its rows are of use. */
  readonly isAggregated: boolean;
}

const approved = { row: "approved", list: "approved" } as const;

/** All that GraphQL shows: the tables that are meant for people. GraphQL has no others. */
export const tables: Readonly<Record<string, Exposure>> = {
  profiles: {
    type: "Profile",
    // The one profile that a resident sees is their own; it is shown before approval too.
    requires: { row: "none", list: "administrator" },
    shows: Profile,
    filters: ProfileFilter,
    isAggregated: false,
  },
  building: {
    type: "Building",
    requires: approved,
    shows: Building,
    filters: Nothing,
    isListed: false,
    isAggregated: false,
  },
  contacts: {
    type: "Contact",
    requires: approved,
    shows: Contact,
    filters: Nothing,
    isListed: false,
    isAggregated: false,
  },
  spots: {
    type: "Spot",
    requires: approved,
    shows: Spot,
    filters: SpotFilter,
    isAggregated: true,
  },
  availabilities: {
    type: "Availability",
    requires: approved,
    shows: Availability,
    filters: AvailabilityFilter,
    isAggregated: true,
  },
  claims: {
    type: "Claim",
    requires: approved,
    shows: Claim,
    filters: ClaimFilter,
    isAggregated: true,
  },
  notifications: {
    type: "Notification",
    requires: approved,
    shows: Notification,
    filters: NotificationFilter,
    isAggregated: false,
  },
};
