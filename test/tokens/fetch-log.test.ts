import { expect, it } from "@jest/globals";
import { pino } from "pino";
import { MINUTE, startProvider } from "./provider.ts";

it("the log has a line for each failed fetch of the keys, and one when they are there again", async () => {
  const lines: string[] = [];
  const logger = pino(
    { base: null, timestamp: false, messageKey: "message" },
    {
      write: (line) => lines.push(line),
    },
  );
  const provider = await startProvider({ logger });
  try {
    const { server, verifier, pass } = provider;
    server.answerWith((_request, response) => response.writeHead(500).end());
    await verifier.refreshKeys();
    server.answerWith();
    pass(MINUTE);
    await verifier.refreshKeys();
    server.answerWith((_request, response) => response.writeHead(502).end());
    pass(12 * MINUTE);
    await verifier.refreshKeys();
  } finally {
    await provider.server.close();
  }

  const status = (code: number) => expect.stringMatching(`answered with status ${code}$`);
  const problem = "the keys of AUTH_ISSUER cannot be fetched";
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      level: 40,
      reason: status(500),
      message: `${problem}: all tokens are refused with 503 until they can`,
    },
    { level: 30, message: "the keys of AUTH_ISSUER were fetched again" },
    {
      level: 40,
      reason: status(502),
      ageSeconds: 720,
      message: `${problem}: the old ones serve, and tokens of newer ones are refused with 503`,
    },
  ]);
});
