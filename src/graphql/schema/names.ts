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

const HIDDEN = { tags: { behavior: "-*" } };

/** A relation by one column. On the side with many rows, an index begins with that column. */
const relation = (column: string, table: string, fieldName: string, foreignFieldName: string) =>
  `(${column}) references parking.${table} (id)|@fieldName ${fieldName}\n@foreignFieldName ${foreignFieldName}`;

/**
 * The relations, and their names on both sides. Some foreign keys also contain the owner or a
 * period, but their first column alone finds the rows faster.
 */
export const RelationsPlugin = jsonPgSmartTags({
  version: 1,
  config: {
    class: {
      // It is not shown, because the view with the limits has its name.
      "parking.building": { tags: { name: "building_settings" } },
      "parking.spots": {
        constraint: {
          spots_belong_to_a_resident: { tags: { fieldName: "owner", foreignFieldName: "spots" } },
        },
      },
      "parking.availabilities": {
        tags: { foreignKey: relation("spot_id", "spots", "spot", "availabilities") },
        constraint: {
          availabilities_of_a_spot: HIDDEN,
          availabilities_published_by_a_pattern: {
            tags: { fieldName: "pattern", foreignFieldName: "availabilities" },
          },
        },
      },
      "parking.patterns": {
        tags: { foreignKey: relation("spot_id", "spots", "spot", "patterns") },
        constraint: { patterns_of_a_spot: HIDDEN },
      },
      // These are a resident's own. The lists already show what their profile would lead to.
      "parking.exceptions": {
        tags: { foreignKey: relation("spot_id", "spots", "spot", "exceptions") },
        constraint: { exceptions_made_by_a_resident: HIDDEN, exceptions_of_a_spot: HIDDEN },
      },
      "parking.spot_reports": {
        constraint: {
          spot_reports_of_a_spot: { tags: { fieldName: "spot", foreignFieldName: "reports" } },
          spot_reports_by_a_resident: HIDDEN,
          spot_reports_to_a_resident: HIDDEN,
        },
      },
      "parking.wishes": {
        constraint: {
          wishes_made_by_a_resident: HIDDEN,
          wishes_of_a_spot: { tags: { fieldName: "spot", foreignFieldName: "wishes" } },
        },
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
      "parking.contacts": {
        tags: {
          primaryKey: "claim_id",
          foreignKey: relation("claim_id", "claims", "claim", "contact"),
        },
      },
      "parking.spot_access": {
        tags: { foreignKey: relation("spot_id", "spots", "spot", "access") },
        constraint: { spot_access_of_a_spot: HIDDEN },
      },
      "parking.invitations": {
        constraint: {
          invitations_by_a_resident: HIDDEN,
          invitations_accepted_by_a_resident: HIDDEN,
        },
      },
      "parking.calendar_feeds": { constraint: { calendar_feeds_of_a_resident: HIDDEN } },
      "parking.keys": { constraint: { keys_made_by_a_resident: HIDDEN } },
      "parking.push_subscriptions": { constraint: { push_subscriptions_of_a_resident: HIDDEN } },
      "parking.preferences": { constraint: { preferences_of_a_resident: HIDDEN } },
      "parking.notifications": { constraint: { notifications_to_a_resident: HIDDEN } },
    },
  },
});
