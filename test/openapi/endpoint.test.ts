import { once } from "node:events";
import { get } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import { description } from "../support/described.ts";
import { requestJson } from "../support/person.ts";

const building = useBuilding();

const ask = (method: string, options: Parameters<typeof requestJson>[3] = {}) =>
  requestJson(building.service.origin, method, "/api/openapi.json", options);

describe("/api/openapi.json", () => {
  it("gives the description to somebody without a token", async () => {
    const { status, body } = await ask("GET");

    expect(status).toBe(200);
    expect(body).toEqual(description);
  });

  it("is not sent again to somebody who has it", async () => {
    const { headers } = await ask("GET");
    const answer = await ask("GET", { headers: { "If-None-Match": headers.get("ETag") ?? "" } });

    expect(answer).toMatchObject({ status: 304, body: undefined });
  });

  it.each([
    ["br", brotliDecompressSync],
    ["gzip", gunzipSync],
  ])("comes compressed to who takes %s", async (encoding, decompress) => {
    const url = new URL(`${building.service.origin}/api/openapi.json`);
    const [response] = await once(
      get(url, { headers: { "Accept-Encoding": encoding } }),
      "response",
    );
    const bytes = await buffer(response);

    expect(response.headers).toMatchObject({
      "content-encoding": encoding,
      "content-type": "application/json; charset=utf-8",
      vary: "Accept-Encoding",
    });
    expect(JSON.parse(decompress(bytes).toString())).toEqual(description);
    expect(bytes.length).toBeLessThan(JSON.stringify(description).length / 5);
    const [plain] = await once(get(url), "response");
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(JSON.parse((await buffer(plain)).toString())).toEqual(description);
    expect(plain.headers.etag).toBe(response.headers.etag);
  });
});
