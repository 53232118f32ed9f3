import { RecentClaim } from "./claims.ts";
import * as field from "./fields.ts";
import { type Route, routesFor } from "./route.ts";
import * as schema from "./schemas.ts";
import { spotInShort } from "./spots.ts";

const DashboardStats = schema.resource(
  "DashboardStats",
  "The caller's spots and claims, counted.",
  {
    total_spots: field.count("Spots of the caller."),
    active_spots: field.count("Those with a window that contains the present moment."),
    total_claims: field.count("Claims that the caller made."),
    active_claims: field.count("Those that are active."),
  },
);

const RecentSpot = schema.row("RecentSpot", "spots", {
  ...spotInShort,
  created_at: field.moment(),
});

/** It has at most as many items as api.get_dashboard returns. */
const newest = (what: string, items: schema.ResourceSchema): schema.ListSchema =>
  schema.list(`The caller's ${what}, newest first.`, items, 5);

const Dashboard = schema.resource("Dashboard", "What the caller has and uses.", {
  stats: DashboardStats,
  recent_spots: newest("spots", RecentSpot),
  recent_claims: newest("claims", RecentClaim),
});

export const dashboardRoutes: readonly Route[] = [
  routesFor("approved").get("/dashboard", "get_dashboard", {
    answer: Dashboard,
    otherCalls: { recent_spots: "recent_spots", recent_claims: "recent_claims" },
    personal: true,
  }),
];
