import { expect, it } from "@jest/globals";
import { eventTypes, webhookTypes } from "../../src/contract/events.ts";
import { useBuilding } from "../support/building.ts";

const building = useBuilding();

it("the types of events that are described are those that the database knows", async () => {
  const [row] = await building.rows<{ source: string }>(
    "select prosrc as source from pg_proc where oid = 'private.is_event_type'::regproc",
  );
  const known = [...(row?.source ?? "").matchAll(/'([a-z]+\.[a-z]+)'/g)].map(([, type]) => type);
  expect(known.toSorted()).toEqual(Object.keys(eventTypes).toSorted());
});

it("the types that a webhook may have are those of which administrators see the subject", async () => {
  const rows = await building.rows<{ type: string }>(
    "select type from unnest($1::text[]) type where private.are_webhook_types(array[type])",
    [Object.keys(eventTypes)],
  );
  expect(rows.map(({ type }) => type)).toEqual(webhookTypes);
});
