import { expect, it } from "@jest/globals";

interface Module {
  readonly connection: { get(): { readonly state: string } };
  reportOnline(): void;
  waitOut(wait: number, isBusy: boolean): Promise<void>;
}

// By its address: the types of a browser are not those of the tests.
const { href } = new URL("../../../src/web/api/connection.ts", import.meta.url);
const { connection, reportOnline, waitOut }: Module = await import(href);

it("an answer to an earlier request does not end the time that the service asked for", async () => {
  const wait = waitOut(1_000, false);
  reportOnline();
  expect(connection.get().state).toBe("waiting");

  await wait;
  reportOnline();
  expect(connection.get().state).toBe("online");
});
