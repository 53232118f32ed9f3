import * as field from "./fields.ts";
import { apartmentNumber, fullName } from "./profiles.ts";
import { type Route, routesFor } from "./route.ts";
import * as schema from "./schemas.ts";
import { buildingSection, spotNumber } from "./spots.ts";

const MOST_AT_ONCE = 500;
const MOST_SPOTS = 20; // private.are_invited_spots

/** A list has up to 500 entries. Each may have half a kilobyte: a long name, and several spots. */
const LARGEST_LIST = 256 * 1024;

const email = field.text("maria@demo.example");

const spot = { spot_number: spotNumber, building_section: buildingSection };
const exampleSpot = { spot_number: "A-101", building_section: "North garage" };

export const Invitation = schema.row("Invitation", "invitations", {
  id: field.id(),
  email,
  full_name: field.nullable(fullName),
  apartment_number: apartmentNumber,
  spots: field.list(
    field.item(
      {
        ...spot,
        spot_id: field.id("The spot that was registered."),
        refused_by: {
          ...field.text("spots_spot_number_is_unique", "The rule that refused it."),
          maxLength: 63,
        },
      },
      ["spot_id", "refused_by"],
    ),
    MOST_SPOTS,
    [exampleSpot],
  ),
  status: field.choice(["open", "accepted", "lapsed"], "open"),
  inviter_id: field.id(),
  profile_id: field.nullable(field.id()),
  accepted_at: field.nullable(field.moment()),
  ...field.timestamps,
});

const invited = field.columns("invitations", {
  email,
  apartment_number: apartmentNumber,
  full_name: fullName,
  spots: field.list(field.item(spot), MOST_SPOTS, [exampleSpot], "What is registered for them."),
});

const NewInvitations = schema.body(
  "NewInvitations",
  "invitations",
  {
    invitations: {
      ...field.list(
        field.item(invited, ["full_name", "spots"]),
        MOST_AT_ONCE,
        [{ email: "maria@demo.example", apartment_number: "2B", spots: [exampleSpot] }],
        "All are made, or none; `details` names what is wrong by its place, such as `invitations/3/email`.",
      ),
      minItems: 1,
    },
  },
  ["invitations"],
);

const Invited = schema.resource("Invited", "How many were invited.", {
  invited: field.count("Invitations that were made."),
  accepted: field.count("Those of people who had registered already: they are approved now."),
});

const InvitationFilter = schema.parameters({
  status: field.choice(["open", "accepted", "lapsed"], "open", "Only invitations in this state."),
  email: {
    ...email,
    column: "invitations.email",
    description: "Only invitations to this address, ignoring case.",
  },
  ...schema.page,
});

/** GraphQL does not have it, because the caller has no account yet. */
const ownInvitation = {
  ...schema.namelessRow("invitations", {
    full_name: field.nullable(fullName),
    apartment_number: apartmentNumber,
    spots: field.list(field.item(spot), MOST_SPOTS, [exampleSpot]),
  }),
  nullable: true,
} as const;

const administrator = routesFor("administrator", { table: "invitations" });
const anyone = routesFor("none", { table: "invitations", personal: true });

export const invitationRoutes: readonly Route[] = [
  anyone.get("/profile/invitation", "get_own_invitation", {
    answer: schema.underName({ invitation: ownInvitation }),
  }),
  administrator.get("/admin/invitations", "list_invitations", {
    query: InvitationFilter,
    order: { column: "created_at", direction: "desc" },
    filters: { email: [{ column: "address", is: "= private.address_key($)" }] },
    answer: schema.pageOf("invitations", Invitation),
    personal: true,
  }),
  administrator.post("/admin/invitations", "create_invitations", {
    body: NewInvitations,
    largestBody: LARGEST_LIST,
    location: undefined, // one request makes many
    answer: Invited,
  }),
  administrator.post("/admin/invitations/preview", "preview_invitations", {
    body: NewInvitations,
    largestBody: LARGEST_LIST,
    isPreview: true,
    location: undefined,
    answer: Invited,
  }),
  administrator.get("/admin/invitations/:id", "get_invitation", {
    answer: schema.underName({ invitation: Invitation }),
    personal: true,
  }),
  administrator.remove("/admin/invitations/:id", "delete_invitation", {
    answer: schema.deletionOf("invitation", "Invitation deleted successfully"),
  }),
];
