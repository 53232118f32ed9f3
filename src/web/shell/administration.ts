/** Fetched together when an administrator first opens one of them. Residents never load them. */
export { Accounts } from "../screens/accounts/accounts.tsx";
export { Building } from "../screens/building/building.tsx";
export { Garage } from "../screens/garage/garage.tsx";
export { Keys } from "../screens/keys/keys.tsx";
export { People } from "../screens/people/people.tsx";
export { Use } from "../screens/use/use.tsx";
export { Verification } from "../screens/verification/verification.tsx";
export { Waiting } from "../screens/waiting/waiting.tsx";
export { Webhooks } from "../screens/webhooks/webhooks.tsx";
