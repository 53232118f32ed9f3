import { jsonPgSmartTags } from "postgraphile/utils";

/** The names that REST has: `id` is the row's, so the one that Relay refetches by is `nodeId`. */
export const NamesPlugin: GraphileConfig.Plugin = {
  name: "ParkingNamesPlugin",
  inflection: {
    replace: {
      nodeIdFieldName: () => "nodeId",
      _attributeName: (_previous, _options, { codec, attributeName }) =>
        codec.attributes[attributeName]?.extensions?.tags?.name ?? attributeName,
      /** `spots`, not `allSpots` */
      allRowsConnection(_previous, _options, { name }) {
        return this.camelCase(name);
      },
      /** `spot(id)`, not `spotById` */
      rowByUnique(_previous, _options, { resource }) {
        return this.camelCase(this.singularize(resource.name));
      },
    },
  },
};

const HIDDEN = { tags: { behavior: "-*" } };

/** A relation by one column, which an index begins with on the side of the many. */
const relation = (column: string, table: string, fieldName: string, foreignFieldName: string) =>
  `(${column}) references parking.${table} (id)|@fieldName ${fieldName}\n@foreignFieldName ${foreignFieldName}`;

/**
 * The relations, and what they are called from either side. Foreign keys that carry the owner along,
 * or a period, would find rows more slowly than the one column does that they all begin with.
 */
export const RelationsPlugin = jsonPgSmartTags({
  version: 1,
  config: {
    class: {
      "parking.spots": {
        constraint: {
          spots_belong_to_a_resident: { tags: { fieldName: "owner", foreignFieldName: "spots" } },
        },
      },
      "parking.availabilities": {
        tags: { foreignKey: relation("spot_id", "spots", "spot", "availabilities") },
        constraint: { availabilities_of_a_spot: HIDDEN },
      },
      "parking.claims": {
        tags: {
          foreignKey: [
            relation("spot_id", "spots", "spot", "claims"),
            relation("availability_id", "availabilities", "availability", "claims"),
          ],
        },
        constraint: {
          claims_of_an_availability: HIDDEN,
          claims_within_availability: HIDDEN,
          claims_made_by_a_resident: { tags: { fieldName: "claimer", foreignFieldName: "claims" } },
        },
      },
      "parking.notifications": { constraint: { notifications_to_a_resident: HIDDEN } },
    },
  },
});
