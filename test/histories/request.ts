import type { Action } from "./recorded.ts";

export interface Request {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
}

const REASON = "a reason";

/** The request of an action. Administrators act on what belongs to others, and give a reason. */
export function requestOf(action: Action, isAdministrator: boolean): Request {
  const admin = isAdministrator ? "/admin" : "";
  const reasoned = isAdministrator ? "?reason=a%20reason" : "";
  switch (action.kind) {
    case "register spot":
      return {
        method: "POST",
        path: "/parking-spots",
        body: { spot_number: action.spotNumber, building_section: "North" },
      };
    case "delete spot":
      return { method: "DELETE", path: `${admin}/parking-spots/${action.spot}${reasoned}` };
    case "publish window":
      return {
        method: "POST",
        path: "/availabilities",
        body: { spot_id: action.spot, start_time: action.start, end_time: action.end },
      };
    case "move window":
      return {
        method: "PUT",
        path: `/availabilities/${action.window}`,
        body: { start_time: action.start, end_time: action.end },
      };
    case "delete window":
      return { method: "DELETE", path: `${admin}/availabilities/${action.window}${reasoned}` };
    case "claim":
      return {
        method: "POST",
        path: "/claims",
        body: { availability_id: action.window, start_time: action.start, end_time: action.end },
      };
    case "close claim":
      return {
        method: "PUT",
        path: `${admin}/claims/${action.claim}`,
        body: { status: action.status, ...(isAdministrator && { reason: REASON }) },
      };
    case "move claim":
      return {
        method: "PUT",
        path: `/claims/${action.claim}`,
        body: { start_time: action.start, end_time: action.end },
      };
    case "delete claim":
      return { method: "DELETE", path: `/claims/${action.claim}` };
    case "read windows":
      return { method: "GET", path: `/availabilities?spot_id=${action.spot}&limit=200` };
    case "read claims":
      return { method: "GET", path: `/claims?spot_id=${action.spot}&limit=200` };
    case "approve":
      return {
        method: "PUT",
        path: `/admin/profiles/${action.resident}`,
        body: { is_approved: action.isApproved },
      };
  }
}
