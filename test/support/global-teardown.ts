import { rm } from "node:fs/promises";

const tearDown = async (): Promise<void> => {
  const { server, folder, pgBouncer } = globalThis.testPostgres;
  await pgBouncer?.[Symbol.asyncDispose]();
  await server.stop();
  await rm(folder, { recursive: true });
};

export default tearDown;
