import { context } from "postgraphile/grafast";
import { extendSchema } from "postgraphile/utils";

/** The only rows that an account can read before it is approved: one, its own profile. */
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
