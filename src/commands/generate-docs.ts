/** `npm run docs`: writes the generated pages of docs/. */
import { runCommand } from "./run-command.ts";
import { writeDocs } from "./write-docs.ts";

await runCommand("npm run docs", writeDocs);
