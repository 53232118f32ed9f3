import { rm } from "node:fs/promises";

const tearDown = async (): Promise<void> => {
  const { server, folder } = globalThis.testPostgres;
  await server.stop();
  await rm(folder, { recursive: true });
};

export default tearDown;
