import { beforeAll, describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import { invite, invited, newAddress, newNumber, spotNumbered } from "../support/invitations.ts";
import type { Person } from "../support/person.ts";
import { ask } from "./ask.ts";

const building = useBuilding();
let administrator: Person;
beforeAll(async () => {
  administrator = await building.administrator();
});

const DOCUMENT = `query ($email: String!) {
  invitations(condition: { email: $email, status: "open" }) {
    totalCount
    nodes { id email status spots inviterId }
  }
}`;

interface Found {
  readonly invitations: { readonly totalCount: number; readonly nodes: { readonly id: string }[] };
}

describe("invitations in GraphQL", () => {
  it("are listed for administrators, by state and by address, and deleted", async () => {
    const [email, number] = [newAddress(), newNumber()];
    await invite(administrator, invited(email, number), invited(newAddress()));
    const variables = { email: email.toUpperCase() };
    const { invitations } = await ask<Found>(building, administrator, DOCUMENT, variables);
    expect(invitations).toEqual({
      totalCount: 1,
      nodes: [
        {
          id: expect.any(String),
          email,
          status: "open",
          spots: [spotNumbered(number)],
          inviterId: administrator.id,
        },
      ],
    });

    const deletion = `mutation ($id: UUID!) {
      deleteInvitation(input: { id: $id }) { deletedInvitationId }
    }`;
    const { id = "" } = invitations.nodes[0] ?? {};
    expect(await ask(building, administrator, deletion, { id })).toEqual({
      deleteInvitation: { deletedInvitationId: id },
    });
    const after = await ask<Found>(building, administrator, DOCUMENT, variables);
    expect(after.invitations.totalCount).toBe(0);
  });
});
