import { context } from "postgraphile/grafast";
import { extendSchema } from "postgraphile/utils";

/** The one thing that an account which is not approved can read. */
export const OwnProfilePlugin = extendSchema((build) => ({
  typeDefs: /* GraphQL */ `
    extend type Query {
      "The profile of the caller; also before approval, and null before registration."
      ownProfile: Profile
    }
  `,
  objects: {
    Query: {
      plans: {
        ownProfile: () => build.pgResources.profiles?.get({ id: context().get("callerId") }),
      },
    },
  },
}));
