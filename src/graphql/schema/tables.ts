import type { ResourceSchema } from "../../contract/answers.ts";
import * as schema from "../../contract/requests.ts";
import * as resource from "../../contract/resources.ts";
import type { Requirement } from "../../contract/route.ts";

/** What GraphQL shows of one table. */
export interface Exposure {
  /** The name of its row type. */
  readonly type: string;
  /** What reading one row of it requires, and what reading a list of rows requires. */
  readonly requires: { readonly row: Requirement; readonly list: Requirement };
  /** Its columns are the fields of the REST resource; GraphQL has no others. */
  readonly shows: ResourceSchema;
  /** Its conditions are the filters of the REST list. */
  readonly filters: schema.ObjectSchema;
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
    shows: resource.Profile,
    filters: schema.ProfileFilter,
    isAggregated: false,
  },
  building: {
    type: "Building",
    requires: approved,
    shows: resource.Building,
    filters: schema.Nothing,
    isListed: false,
    isAggregated: false,
  },
  contacts: {
    type: "Contact",
    requires: approved,
    shows: resource.Contact,
    filters: schema.Nothing,
    isListed: false,
    isAggregated: false,
  },
  spots: {
    type: "Spot",
    requires: approved,
    shows: resource.Spot,
    filters: schema.SpotFilter,
    isAggregated: true,
  },
  availabilities: {
    type: "Availability",
    requires: approved,
    shows: resource.Availability,
    filters: schema.AvailabilityFilter,
    isAggregated: true,
  },
  claims: {
    type: "Claim",
    requires: approved,
    shows: resource.Claim,
    filters: schema.ClaimFilter,
    isAggregated: true,
  },
  notifications: {
    type: "Notification",
    requires: approved,
    shows: resource.Notification,
    filters: schema.NotificationFilter,
    isAggregated: false,
  },
};
