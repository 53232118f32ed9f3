import { deletionOf, named, pageOf, type ResourceSchema } from "./answers.ts";
import * as schema from "./requests.ts";
import * as resource from "./resources.ts";

/** What an account must be. `none`: anyone with a verified token. */
export type Requirement = "none" | "approved" | "administrator";

/**
 * One endpoint. Its path, query and body supply the arguments of its SQL function by name; the
 * comment of the function is its summary in the description.
 */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below the base path; `:id` is the only parameter. */
  readonly path: string;
  /** The function in schema api. */
  readonly call: string;
  /** What the account of the caller must be. */
  readonly requires: Requirement;
  /** The table whose rows it reads or writes. A POST inserts, a PUT updates, a DELETE deletes. */
  readonly table?: string;
  /** Another table that it writes. With it, a GET is not read-only. */
  readonly alsoWrites?: "users";
  readonly query?: schema.ObjectSchema;
  readonly body?: schema.ObjectSchema;
  readonly status: 200 | 201;
  /** The body of the response. */
  readonly answer: ResourceSchema;
  /** Has limits of its own, besides those for all requests (src/limits/limits.ts). */
  readonly limit?: "profile";
  /** Where a created resource is found: a path, and the member of the response that has its id. */
  readonly location?: { readonly path: string; readonly member: string };
}

/** The whole REST API. */
export const routes: readonly Route[] = [
  {
    method: "GET",
    path: "/profile",
    call: "get_profile",
    requires: "none",
    table: "profiles",
    status: 200,
    answer: named({ profile: resource.Profile, user: resource.User }),
    alsoWrites: "users", // a token may bring a new address
    limit: "profile",
  },
  {
    method: "POST",
    path: "/profile",
    call: "create_profile",
    requires: "none",
    table: "profiles",
    body: schema.NewProfile,
    status: 201,
    answer: named({ profile: resource.Profile, user: resource.User }),
    location: { path: "/profile", member: "profile" },
    alsoWrites: "users",
  },
  {
    method: "PUT",
    path: "/profile",
    call: "update_profile",
    requires: "none",
    table: "profiles",
    body: schema.ProfileChange,
    status: 200,
    answer: named({ profile: resource.Profile, user: resource.User }),
    alsoWrites: "users",
  },

  {
    method: "GET",
    path: "/dashboard",
    call: "get_dashboard",
    requires: "approved",
    status: 200,
    answer: resource.Dashboard,
  },

  {
    method: "GET",
    path: "/parking-spots",
    call: "list_spots",
    requires: "approved",
    table: "spots",
    query: schema.SpotFilter,
    status: 200,
    answer: pageOf("spots", resource.Spot),
  },
  {
    method: "POST",
    path: "/parking-spots",
    call: "create_spot",
    requires: "approved",
    table: "spots",
    body: schema.NewSpot,
    status: 201,
    answer: named({ spot: resource.Spot }),
    location: { path: "/parking-spots/:id", member: "spot" },
  },
  {
    method: "GET",
    path: "/parking-spots/:id",
    call: "get_spot",
    requires: "approved",
    table: "spots",
    status: 200,
    answer: named({ spot: resource.Spot }),
  },
  {
    method: "PUT",
    path: "/parking-spots/:id",
    call: "update_spot",
    requires: "approved",
    table: "spots",
    body: schema.SpotChange,
    status: 200,
    answer: named({ spot: resource.Spot }),
  },
  {
    method: "DELETE",
    path: "/parking-spots/:id",
    call: "delete_spot",
    requires: "approved",
    table: "spots",
    status: 200,
    answer: deletionOf("spot", "Parking spot deleted successfully"),
  },

  {
    method: "GET",
    path: "/availabilities",
    call: "list_availabilities",
    requires: "approved",
    table: "availabilities",
    query: schema.AvailabilityFilter,
    status: 200,
    answer: pageOf("availabilities", resource.Availability),
  },
  {
    method: "POST",
    path: "/availabilities",
    call: "create_availability",
    requires: "approved",
    table: "availabilities",
    body: schema.NewAvailability,
    status: 201,
    answer: named({ availability: resource.Availability }),
    location: { path: "/availabilities/:id", member: "availability" },
  },
  {
    method: "GET",
    path: "/availabilities/:id",
    call: "get_availability",
    requires: "approved",
    table: "availabilities",
    status: 200,
    answer: named({ availability: resource.Availability }),
  },
  {
    method: "PUT",
    path: "/availabilities/:id",
    call: "update_availability",
    requires: "approved",
    table: "availabilities",
    body: schema.AvailabilityChange,
    status: 200,
    answer: named({ availability: resource.Availability }),
  },
  {
    method: "DELETE",
    path: "/availabilities/:id",
    call: "delete_availability",
    requires: "approved",
    table: "availabilities",
    status: 200,
    answer: deletionOf("availability", "Availability deleted successfully"),
  },

  {
    method: "GET",
    path: "/claims",
    call: "list_claims",
    requires: "approved",
    table: "claims",
    query: schema.ClaimFilter,
    status: 200,
    answer: pageOf("claims", resource.Claim),
  },
  {
    method: "POST",
    path: "/claims",
    call: "create_claim",
    requires: "approved",
    table: "claims",
    body: schema.NewClaim,
    status: 201,
    answer: named({ claim: resource.Claim }),
    location: { path: "/claims/:id", member: "claim" },
  },
  {
    method: "GET",
    path: "/claims/:id",
    call: "get_claim",
    requires: "approved",
    table: "claims",
    status: 200,
    answer: named({ claim: resource.Claim }),
  },
  {
    method: "PUT",
    path: "/claims/:id",
    call: "update_claim",
    requires: "approved",
    table: "claims",
    body: schema.ClaimChange,
    status: 200,
    answer: named({ claim: resource.Claim }),
  },
  {
    method: "DELETE",
    path: "/claims/:id",
    call: "delete_claim",
    requires: "approved",
    table: "claims",
    status: 200,
    answer: deletionOf("claim", "Claim cancelled successfully"),
  },

  {
    method: "GET",
    path: "/notifications",
    call: "list_notifications",
    requires: "approved",
    table: "notifications",
    query: schema.NotificationFilter,
    status: 200,
    answer: pageOf("notifications", resource.Notification),
  },
  {
    method: "PUT",
    path: "/notifications/:id",
    call: "update_notification",
    requires: "approved",
    table: "notifications",
    body: schema.NotificationChange,
    status: 200,
    answer: named({ notification: resource.Notification }),
  },

  {
    method: "GET",
    path: "/admin/profiles",
    call: "list_profiles",
    requires: "administrator",
    table: "profiles",
    query: schema.ProfileFilter,
    status: 200,
    answer: pageOf("profiles", resource.Profile),
  },
  {
    method: "GET",
    path: "/admin/profiles/:id",
    call: "get_profile_by_id",
    requires: "administrator",
    table: "profiles",
    status: 200,
    answer: named({ profile: resource.Profile }),
  },
  {
    method: "PUT",
    path: "/admin/profiles/:id",
    call: "update_profile_flags",
    requires: "administrator",
    table: "profiles",
    body: schema.ProfileFlags,
    status: 200,
    answer: named({ profile: resource.Profile }),
  },
  {
    method: "PUT",
    path: "/admin/parking-spots/:id",
    call: "verify_spot",
    requires: "administrator",
    table: "spots",
    body: schema.SpotVerification,
    status: 200,
    answer: named({ spot: resource.Spot }),
  },
  {
    method: "DELETE",
    path: "/admin/parking-spots/:id",
    call: "remove_spot",
    requires: "administrator",
    table: "spots",
    query: schema.Removal,
    status: 200,
    answer: deletionOf("spot", "Parking spot deleted successfully"),
  },
  {
    method: "DELETE",
    path: "/admin/availabilities/:id",
    call: "remove_availability",
    requires: "administrator",
    table: "availabilities",
    query: schema.Removal,
    status: 200,
    answer: deletionOf("availability", "Availability deleted successfully"),
  },
  {
    method: "PUT",
    path: "/admin/claims/:id",
    call: "cancel_claim",
    requires: "administrator",
    table: "claims",
    body: schema.ClaimCancellation,
    status: 200,
    answer: named({ claim: resource.Claim }),
  },
  {
    method: "DELETE",
    path: "/admin/profiles/:id",
    call: "erase_profile",
    requires: "administrator",
    table: "profiles",
    query: schema.Removal,
    status: 200,
    answer: deletionOf("profile", "Personal data erased successfully"),
  },
];
