/** Fetched together when an administrator first opens one of them: residents never load them. */
export { Accounts } from "../accounts/accounts.ts";
export { Building } from "../building/building.ts";
export { Garage } from "../garage/garage.ts";
export { Use } from "../use/use.ts";
export { Verification } from "../verification/verification.ts";
