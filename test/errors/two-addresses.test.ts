import { type LookupFunction, Socket } from "node:net";
import { afterAll, describe, expect, it } from "@jest/globals";
import { createPool } from "../../src/database/pool.ts";
import { waitForDatabase } from "../../src/database/wait-for-database.ts";
import { printable } from "../../src/errors/operator-error.ts";
import { isOutage } from "../../src/errors/outage.ts";
import { problemOf } from "../../src/errors/render.ts";
import { createLogger } from "../../src/log/logger.ts";

const silent = createLogger("silent");
const REFUSED = "connect ECONNREFUSED 127.0.0.1:1; connect ECONNREFUSED 127.0.0.2:1";

/** The addresses of a name with A and AAAA; nobody listens on either. */
const addresses = ["127.0.0.1", "127.0.0.2"].map((address) => ({ address, family: 4 }));
const lookup: LookupFunction = (_name, _options, answer) => answer(null, addresses);

class SocketToBoth extends Socket {
  override connect(...[port, host]: readonly unknown[]): this {
    return super.connect({
      port: Number(port),
      host: String(host),
      lookup,
      autoSelectFamily: true,
    });
  }
}

const pool = createPool("postgres://parking_api@two.example:1/parking", silent, {
  stream: () => new SocketToBoth(),
});
afterAll(() => pool.end());

describe("a database whose name has two addresses, both of which refuse", () => {
  const refusal = () => pool.query("select").catch((error: unknown) => error);

  it("is an outage, which may end by itself", async () => {
    expect(isOutage(await refusal())).toBe(true);
  });

  it("is 503 with Retry-After", async () => {
    const rules = { find: async () => undefined };

    expect(await problemOf(await refusal(), rules)).toMatchObject({
      status: 503,
      headers: { "Retry-After": "5" },
    });
  });

  it("is one line for the operator", async () => {
    expect(printable(await refusal())).toBe(REFUSED);
    await expect(waitForDatabase(pool, silent, 0)).rejects.toThrow(`DATABASE_URL: ${REFUSED}`);
  });
});
