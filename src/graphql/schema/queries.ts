import { context } from "postgraphile/grafast";
import { extendSchema } from "postgraphile/utils";

/** The rows that are found without an id. */
export const QueriesPlugin = extendSchema(({ pgResources: { building, profiles } }) => ({
  typeDefs: /* GraphQL */ `
    extend type Query {
      "The profile of the caller; also before approval, and null before registration."
      ownProfile: Profile
      "The building: its name, its time zone and its limits."
      building: Building
    }
  `,
  objects: {
    Query: {
      plans: {
        // The only row that an account can read before it is approved.
        ownProfile: () => profiles?.get({ id: context().get("callerId") }),
        building: () => building?.find().single(),
      },
    },
  },
}));
