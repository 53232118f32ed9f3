import type { ResourceSchema } from "../../rest/answers.ts";
import * as schema from "../../rest/requests.ts";
import * as resource from "../../rest/resources.ts";
import type { Requirement } from "../../rest/route.ts";

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
  /** The order of the REST list, in names of the enum `orderBy`. */
  readonly order: readonly string[];
  /** The columns that an index sorts by. */
  readonly sortedBy: readonly string[];
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
    order: ["CREATED_AT_DESC", "ID_ASC"],
    sortedBy: ["created_at"],
    isAggregated: false,
  },
  spots: {
    type: "Spot",
    requires: approved,
    shows: resource.Spot,
    filters: schema.SpotFilter,
    order: ["SPOT_NUMBER_ASC", "ID_ASC"],
    sortedBy: ["spot_number"],
    isAggregated: true,
  },
  availabilities: {
    type: "Availability",
    requires: approved,
    shows: resource.Availability,
    filters: schema.AvailabilityFilter,
    order: ["START_TIME_ASC", "ID_ASC"],
    sortedBy: ["start_time"],
    isAggregated: true,
  },
  claims: {
    type: "Claim",
    requires: approved,
    shows: resource.Claim,
    filters: schema.ClaimFilter,
    order: ["START_TIME_DESC", "ID_ASC"],
    sortedBy: ["start_time"],
    isAggregated: true,
  },
  notifications: {
    type: "Notification",
    requires: approved,
    shows: resource.Notification,
    filters: schema.NotificationFilter,
    order: ["CREATED_AT_DESC", "ID_ASC"],
    sortedBy: ["created_at"],
    isAggregated: false,
  },
};
