import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build, stop } from "esbuild";

/** Where the sources of the page are. */
const folder = fileURLToPath(new URL("../web/", import.meta.url));

const options = {
  absWorkingDir: folder,
  entryPoints: ["main.tsx", "styles/all.css", "icon.svg"],
  bundle: true,
  splitting: true,
  format: "esm",
  target: "es2023",
  jsx: "automatic",
  jsxImportSource: "preact",
  minify: true,
  // What it leaves is not for people: the sources are beside it.
  legalComments: "none",
  loader: { ".svg": "copy" },
  entryNames: "[name].[hash]",
  chunkNames: "[name].[hash]",
  outdir: "out",
  write: false,
  logLevel: "silent",
  tsconfigRaw: {},
} as const satisfies BuildOptions;

/**
 * Puts the modules together, without their types and without what nobody calls: as single files,
 * they would be twice as large and a hundred requests. What is behind import() stays by itself.
 *
 * @returns the files as the browser gets them, by names that have a hash of their content
 */
export async function bundle(): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await build(options)
    // Its process would otherwise stay; one that died would be asked again and again.
    .finally(stop);
  return new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
}
