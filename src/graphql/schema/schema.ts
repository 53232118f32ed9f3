import type { GraphQLSchema } from "graphql";
import type { Pool } from "pg";
import { makeSchema } from "postgraphile";
import { makePgService } from "postgraphile/adaptors/pg";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";
import type { DescribedRoute } from "../../contract/described.ts";
import { aggregatesPreset } from "./aggregates.ts";
import { ClaimsByPartyPlugin, FilterPlugins, ListsPlugin, RetiredSpotsPlugin } from "./lists.ts";
import { mutationsPlugin } from "./mutations.ts";
import { NamesPlugin, RelationsPlugin } from "./names.ts";
import { QueriesPlugin } from "./queries.ts";
import { ScalarsPlugin } from "./scalars.ts";
import { TablesPlugin } from "./tables.ts";

const preset = (pool: Pool, routes: readonly DescribedRoute[]): GraphileConfig.Preset => ({
  extends: [PostGraphileAmberPreset, aggregatesPreset],
  plugins: [
    TablesPlugin,
    ClaimsByPartyPlugin,
    NamesPlugin,
    RelationsPlugin,
    ScalarsPlugin,
    ListsPlugin,
    RetiredSpotsPlugin,
    ...FilterPlugins,
    QueriesPlugin,
    mutationsPlugin(routes),
  ],
  disablePlugins: [
    "SwallowErrorsPlugin", // an incomplete schema must not be served
    "NodeAccessorPlugin",
    "RegisterQueryNodePlugin",
    "QueryQueryPlugin",
    "MutationPayloadQueryPlugin",
    // mutations.ts has its own mutations.
    "PgMutationCreatePlugin",
    "PgMutationUpdateDeletePlugin",
    "PgMutationPayloadEdgePlugin",
  ],
  pgServices: [makePgService({ pool, schemas: ["parking"], pubsub: false })],
});

/** Makes the schema from the tables that the role of the pool sees, and from the routes. */
export async function createSchema(
  pool: Pool,
  routes: readonly DescribedRoute[],
): Promise<GraphQLSchema> {
  const { schema } = await makeSchema(preset(pool, routes));
  return schema;
}
