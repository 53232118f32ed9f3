import * as schema from "./schemas.ts";

/** One endpoint. Its path, query and body supply the arguments of the SQL function by name. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below the base path; `:id` is the only parameter. */
  readonly path: string;
  /** The function in schema api. */
  readonly call: string;
  readonly query?: schema.ObjectSchema;
  readonly body?: schema.ObjectSchema;
  readonly status: 200 | 201;
  /** GET is read-only, save where this says why it is not. */
  readonly writes?: string;
  /** Where a created resource is found: a path, and the member of the response that has its id. */
  readonly location?: { readonly path: string; readonly member: string };
}

/** The whole REST API. */
export const routes: readonly Route[] = [
  { method: "GET", path: "/profile", call: "get_profile", status: 200, writes: "news of the user" },
  {
    method: "POST",
    path: "/profile",
    call: "create_profile",
    body: schema.NewProfile,
    status: 201,
    location: { path: "/profile", member: "profile" },
  },
  {
    method: "PUT",
    path: "/profile",
    call: "update_profile",
    body: schema.ProfileChange,
    status: 200,
  },

  { method: "GET", path: "/dashboard", call: "get_dashboard", status: 200 },

  {
    method: "GET",
    path: "/parking-spots",
    call: "list_spots",
    query: schema.SpotFilter,
    status: 200,
  },
  {
    method: "POST",
    path: "/parking-spots",
    call: "create_spot",
    body: schema.NewSpot,
    status: 201,
    location: { path: "/parking-spots/:id", member: "spot" },
  },
  { method: "GET", path: "/parking-spots/:id", call: "get_spot", status: 200 },
  {
    method: "PUT",
    path: "/parking-spots/:id",
    call: "update_spot",
    body: schema.SpotChange,
    status: 200,
  },
  { method: "DELETE", path: "/parking-spots/:id", call: "delete_spot", status: 200 },

  {
    method: "GET",
    path: "/availabilities",
    call: "list_availabilities",
    query: schema.AvailabilityFilter,
    status: 200,
  },
  {
    method: "POST",
    path: "/availabilities",
    call: "create_availability",
    body: schema.NewAvailability,
    status: 201,
    location: { path: "/availabilities/:id", member: "availability" },
  },
  { method: "GET", path: "/availabilities/:id", call: "get_availability", status: 200 },
  {
    method: "PUT",
    path: "/availabilities/:id",
    call: "update_availability",
    body: schema.AvailabilityChange,
    status: 200,
  },
  { method: "DELETE", path: "/availabilities/:id", call: "delete_availability", status: 200 },

  { method: "GET", path: "/claims", call: "list_claims", query: schema.ClaimFilter, status: 200 },
  {
    method: "POST",
    path: "/claims",
    call: "create_claim",
    body: schema.NewClaim,
    status: 201,
    location: { path: "/claims/:id", member: "claim" },
  },
  { method: "GET", path: "/claims/:id", call: "get_claim", status: 200 },
  {
    method: "PUT",
    path: "/claims/:id",
    call: "update_claim",
    body: schema.ClaimChange,
    status: 200,
  },
  { method: "DELETE", path: "/claims/:id", call: "delete_claim", status: 200 },

  {
    method: "GET",
    path: "/notifications",
    call: "list_notifications",
    query: schema.NotificationFilter,
    status: 200,
  },
  {
    method: "PUT",
    path: "/notifications/:id",
    call: "update_notification",
    body: schema.NotificationChange,
    status: 200,
  },

  {
    method: "GET",
    path: "/admin/profiles",
    call: "list_profiles",
    query: schema.ProfileFilter,
    status: 200,
  },
  { method: "GET", path: "/admin/profiles/:id", call: "get_profile_by_id", status: 200 },
  {
    method: "PUT",
    path: "/admin/profiles/:id",
    call: "update_profile_flags",
    body: schema.ProfileFlags,
    status: 200,
  },
  {
    method: "PUT",
    path: "/admin/parking-spots/:id",
    call: "verify_spot",
    body: schema.SpotVerification,
    status: 200,
  },
];
