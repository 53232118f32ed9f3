import type { ResourceSchema } from "../../rest/answers.ts";
import * as schema from "../../rest/requests.ts";
import * as resource from "../../rest/resources.ts";

/** What GraphQL shows of one table. */
export interface Exposure {
  /** The name of its row type. */
  readonly type: string;
  /** Its columns are the fields of the REST resource; any other does not exist for GraphQL. */
  readonly shows: ResourceSchema;
  /** Its conditions are the filters of the REST list. */
  readonly filters: schema.ObjectSchema;
  /** The order of the REST list, in names of the enum `orderBy`. */
  readonly order: readonly string[];
  /** The columns that an index sorts by. */
  readonly sortedBy: readonly string[];
  /** Whether sums over it tell people something. */
  readonly isAggregated: boolean;
}

/** All that GraphQL shows: the tables that are meant for people. Any other does not exist for it. */
export const tables: Readonly<Record<string, Exposure>> = {
  profiles: {
    type: "Profile",
    shows: resource.Profile,
    filters: schema.ProfileFilter,
    order: ["CREATED_AT_DESC", "ID_ASC"],
    sortedBy: ["created_at"],
    isAggregated: false,
  },
  spots: {
    type: "Spot",
    shows: resource.Spot,
    filters: schema.SpotFilter,
    order: ["SPOT_NUMBER_ASC", "ID_ASC"],
    sortedBy: ["spot_number"],
    isAggregated: true,
  },
  availabilities: {
    type: "Availability",
    shows: resource.Availability,
    filters: schema.AvailabilityFilter,
    order: ["START_TIME_ASC", "ID_ASC"],
    sortedBy: ["start_time"],
    isAggregated: true,
  },
  claims: {
    type: "Claim",
    shows: resource.Claim,
    filters: schema.ClaimFilter,
    order: ["START_TIME_DESC", "ID_ASC"],
    sortedBy: ["start_time"],
    isAggregated: true,
  },
  notifications: {
    type: "Notification",
    shows: resource.Notification,
    filters: schema.NotificationFilter,
    order: ["CREATED_AT_DESC", "ID_ASC"],
    sortedBy: ["created_at"],
    isAggregated: false,
  },
};
