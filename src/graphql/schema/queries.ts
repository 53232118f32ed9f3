import { context } from "postgraphile/grafast";
import { extendSchema } from "postgraphile/utils";

/** Rows that are found without an id. */
export const QueriesPlugin = extendSchema(
  ({ pgResources: { buildings, preferences, profiles } }) => ({
    typeDefs: /* GraphQL */ `
    extend type Query {
      "The profile of the caller; also before approval, and null before registration."
      ownProfile: Profile
      "What the caller chose to get by mail; also before approval, and null before any choice."
      ownPreferences: Preference
      "The building: its name, its time zone and its limits."
      building: Building
    }
  `,
    objects: {
      Query: {
        plans: {
          // The only row that an account can read before it is approved.
          ownProfile: () => profiles?.get({ id: context().get("callerId") }),
          ownPreferences: () => preferences?.get({ person_id: context().get("callerId") }),
          building: () => buildings?.find().single(),
        },
      },
    },
  }),
);
