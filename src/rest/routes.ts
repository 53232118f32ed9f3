import { deletionOf, named, pageOf, type ResourceSchema } from "./answers.ts";
import * as schema from "./requests.ts";
import * as resource from "./resources.ts";

/** One endpoint. Its path, query and body supply the arguments of the SQL function by name. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below the base path; `:id` is the only parameter. */
  readonly path: string;
  /** The function in schema api. */
  readonly call: string;
  readonly summary: string;
  readonly query?: schema.ObjectSchema;
  readonly body?: schema.ObjectSchema;
  readonly status: 200 | 201;
  /** The body of the response. */
  readonly answer: ResourceSchema;
  /** GET is read-only, save where this says why it is not. */
  readonly writes?: string;
  /** Where a created resource is found: a path, and the member of the response that has its id. */
  readonly location?: { readonly path: string; readonly member: string };
}

/** The whole REST API. */
export const routes: readonly Route[] = [
  {
    method: "GET",
    path: "/profile",
    call: "get_profile",
    summary: "Your profile and sign-in data; also before approval",
    status: 200,
    answer: named({ profile: resource.Profile, user: resource.User }),
    writes: "news of the user",
  },
  {
    method: "POST",
    path: "/profile",
    call: "create_profile",
    summary: "Register with the building; an administrator approves the account later",
    body: schema.NewProfile,
    status: 201,
    answer: named({ profile: resource.Profile, user: resource.User }),
    location: { path: "/profile", member: "profile" },
  },
  {
    method: "PUT",
    path: "/profile",
    call: "update_profile",
    summary: "Change your own details; null clears those that may be missing",
    body: schema.ProfileChange,
    status: 200,
    answer: named({ profile: resource.Profile, user: resource.User }),
  },

  {
    method: "GET",
    path: "/dashboard",
    call: "get_dashboard",
    summary: "Your statistics and your newest spots and claims",
    status: 200,
    answer: resource.Dashboard,
  },

  {
    method: "GET",
    path: "/parking-spots",
    call: "list_spots",
    summary: "The spots of the building, by number",
    query: schema.SpotFilter,
    status: 200,
    answer: pageOf("spots", resource.Spot),
  },
  {
    method: "POST",
    path: "/parking-spots",
    call: "create_spot",
    summary: "Register a spot as your own, not yet verified",
    body: schema.NewSpot,
    status: 201,
    answer: named({ spot: resource.Spot }),
    location: { path: "/parking-spots/:id", member: "spot" },
  },
  {
    method: "GET",
    path: "/parking-spots/:id",
    call: "get_spot",
    summary: "One spot",
    status: 200,
    answer: named({ spot: resource.Spot }),
  },
  {
    method: "PUT",
    path: "/parking-spots/:id",
    call: "update_spot",
    summary: "Change number or section of your spot, which then is not verified any more",
    body: schema.SpotChange,
    status: 200,
    answer: named({ spot: resource.Spot }),
  },
  {
    method: "DELETE",
    path: "/parking-spots/:id",
    call: "delete_spot",
    summary: "Remove your spot with its windows and past claims",
    status: 200,
    answer: deletionOf("spot", "Parking spot deleted successfully"),
  },

  {
    method: "GET",
    path: "/availabilities",
    call: "list_availabilities",
    summary: "The windows of all spots, by start",
    query: schema.AvailabilityFilter,
    status: 200,
    answer: pageOf("availabilities", resource.Availability),
  },
  {
    method: "POST",
    path: "/availabilities",
    call: "create_availability",
    summary: "Publish a window in which your spot may be claimed",
    body: schema.NewAvailability,
    status: 201,
    answer: named({ availability: resource.Availability }),
    location: { path: "/availabilities/:id", member: "availability" },
  },
  {
    method: "GET",
    path: "/availabilities/:id",
    call: "get_availability",
    summary: "One window",
    status: 200,
    answer: named({ availability: resource.Availability }),
  },
  {
    method: "PUT",
    path: "/availabilities/:id",
    call: "update_availability",
    summary: "Move a window of your spot that nobody has claimed",
    body: schema.AvailabilityChange,
    status: 200,
    answer: named({ availability: resource.Availability }),
  },
  {
    method: "DELETE",
    path: "/availabilities/:id",
    call: "delete_availability",
    summary: "Withdraw a window of your spot that nobody has claimed",
    status: 200,
    answer: deletionOf("availability", "Availability deleted successfully"),
  },

  {
    method: "GET",
    path: "/claims",
    call: "list_claims",
    summary:
      "The claims you made and those on your spots (administrators: all), latest start first",
    query: schema.ClaimFilter,
    status: 200,
    answer: pageOf("claims", resource.Claim),
  },
  {
    method: "POST",
    path: "/claims",
    call: "create_claim",
    summary: "Claim another's window, or part of it",
    body: schema.NewClaim,
    status: 201,
    answer: named({ claim: resource.Claim }),
    location: { path: "/claims/:id", member: "claim" },
  },
  {
    method: "GET",
    path: "/claims/:id",
    call: "get_claim",
    summary: "One claim, for its parties and administrators",
    status: 200,
    answer: named({ claim: resource.Claim }),
  },
  {
    method: "PUT",
    path: "/claims/:id",
    call: "update_claim",
    summary: "Complete or cancel your active claim, or move its times",
    body: schema.ClaimChange,
    status: 200,
    answer: named({ claim: resource.Claim }),
  },
  {
    method: "DELETE",
    path: "/claims/:id",
    call: "delete_claim",
    summary: "Remove your claim, which frees its window",
    status: 200,
    answer: deletionOf("claim", "Claim cancelled successfully"),
  },

  {
    method: "GET",
    path: "/notifications",
    call: "list_notifications",
    summary: "What you were told, newest first",
    query: schema.NotificationFilter,
    status: 200,
    answer: pageOf("notifications", resource.Notification),
  },
  {
    method: "PUT",
    path: "/notifications/:id",
    call: "update_notification",
    summary: "Mark one of your notifications read or unread",
    body: schema.NotificationChange,
    status: 200,
    answer: named({ notification: resource.Notification }),
  },

  {
    method: "GET",
    path: "/admin/profiles",
    call: "list_profiles",
    summary: "Everyone who registered, newest first",
    query: schema.ProfileFilter,
    status: 200,
    answer: pageOf("profiles", resource.Profile),
  },
  {
    method: "GET",
    path: "/admin/profiles/:id",
    call: "get_profile_by_id",
    summary: "One person's profile",
    status: 200,
    answer: named({ profile: resource.Profile }),
  },
  {
    method: "PUT",
    path: "/admin/profiles/:id",
    call: "update_profile_flags",
    summary: "Approve an account or make an administrator, or take that back",
    body: schema.ProfileFlags,
    status: 200,
    answer: named({ profile: resource.Profile }),
  },
  {
    method: "PUT",
    path: "/admin/parking-spots/:id",
    call: "verify_spot",
    summary: "Verify a spot, or take that back",
    body: schema.SpotVerification,
    status: 200,
    answer: named({ spot: resource.Spot }),
  },
];
