import { jsonPgSmartTags } from "postgraphile/utils";

/** Uses the names of REST. `id` is the row's id, so Relay's global id is called `nodeId`. */
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

/** A relation by one column. On the side with many rows, an index begins with that column. */
const relation = (column: string, table: string, fieldName: string, foreignFieldName: string) =>
  `(${column}) references parking.${table} (id)|@fieldName ${fieldName}\n@foreignFieldName ${foreignFieldName}`;

const toSpot = (foreignFieldName: string) => relation("spot_id", "spots", "spot", foreignFieldName);

/** A relation by a foreign key of one column. */
const named = (fieldName: string, foreignFieldName: string) => ({
  tags: { fieldName, foreignFieldName },
});

/**
 * The relations, and their names on both sides; ./tables.ts hides the others. Some foreign keys also
 * contain the owner or a period, but their first column alone finds the rows faster.
 */
export const RelationsPlugin = jsonPgSmartTags({
  version: 1,
  config: {
    class: {
      // It is not shown, because the view with the limits has its name.
      "parking.building": { tags: { name: "building_settings" } },
      "parking.spots": { constraint: { spots_belong_to_a_resident: named("owner", "spots") } },
      "parking.availabilities": {
        tags: { foreignKey: toSpot("availabilities") },
        constraint: { availabilities_published_by_a_pattern: named("pattern", "availabilities") },
      },
      "parking.patterns": { tags: { foreignKey: toSpot("patterns") } },
      "parking.exceptions": { tags: { foreignKey: toSpot("exceptions") } },
      "parking.spot_reports": { constraint: { spot_reports_of_a_spot: named("spot", "reports") } },
      "parking.favorite_spots": {
        constraint: { favorite_spots_of_a_spot: named("spot", "favoriteSpots") },
      },
      "parking.wishes": { constraint: { wishes_of_a_spot: named("spot", "wishes") } },
      "parking.claims": {
        tags: {
          foreignKey: [
            toSpot("claims"),
            relation("availability_id", "availabilities", "availability", "claims"),
          ],
        },
        constraint: { claims_made_by_a_resident: named("claimer", "claims") },
      },
      "parking.contacts": {
        tags: {
          primaryKey: "claim_id",
          foreignKey: relation("claim_id", "claims", "claim", "contact"),
        },
      },
      "parking.spot_access": { tags: { foreignKey: toSpot("access") } },
    },
  },
});
