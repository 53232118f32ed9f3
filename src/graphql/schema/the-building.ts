import { extendSchema } from "postgraphile/utils";

/** The building is one row, so nobody needs its id. */
export const BuildingPlugin = extendSchema((build) => ({
  typeDefs: /* GraphQL */ `
    extend type Query {
      "The building: its name, its time zone and its limits."
      building: Building
    }
  `,
  objects: {
    Query: {
      plans: {
        building: () => build.pgResources.building?.find().single(),
      },
    },
  },
}));
