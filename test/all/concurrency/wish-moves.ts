import type { Rival } from "../../concurrency/rivals.ts";
import type { Claim, Window } from "../../support/building.ts";
import type { Person } from "../../support/person.ts";
import type { Wish } from "../../support/wishes.ts";

/** How a request ended: its status, and the rule if one refused it. */
export const codeOf = async (request: ReturnType<Person["get"]>): Promise<string> => {
  const { status, headers } = await request;
  return status < 400 ? String(status) : `${status} ${headers.get("X-Error-Code")}`;
};
export const claims =
  (person: Person, { id, start_time, end_time }: Window): Rival =>
  () =>
    codeOf(person.post("/claims", { availability_id: id, start_time, end_time }));
export const cancels =
  (person: Person, { id }: Claim): Rival =>
  () =>
    codeOf(person.put(`/claims/${id}`, { status: "cancelled" }));
export const withdraws =
  (person: Person, { id }: Wish): Rival =>
  () =>
    codeOf(person.delete(`/wishes/${id}`));
