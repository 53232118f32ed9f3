import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build, stop } from "esbuild";

/** Where the sources of the page are. */
const folder = fileURLToPath(new URL("../web/", import.meta.url));

const options = {
  absWorkingDir: folder,
  bundle: true,
  target: "es2023",
  minify: true,
  // What it leaves is not for people: the sources are beside it.
  legalComments: "none",
  outdir: "out",
  write: false,
  logLevel: "silent",
  tsconfigRaw: {},
} as const satisfies BuildOptions;

const page = {
  ...options,
  entryPoints: ["main.tsx", "styles/all.css", "icons/*"],
  splitting: true,
  format: "esm",
  jsx: "automatic",
  jsxImportSource: "preact",
  loader: { ".svg": "copy", ".png": "copy" },
  entryNames: "[name].[hash]",
  chunkNames: "[name].[hash]",
  metafile: true,
} as const satisfies BuildOptions;

/** Its name has no hash: browsers ask for it again to see whether there is a new version of the page. */
const worker = {
  ...options,
  entryPoints: ["service-worker.ts"],
  format: "iife",
} as const satisfies BuildOptions;

export interface BuiltFile {
  readonly content: Buffer;
  /** The names of those that a browser loads with it. What is behind import() is loaded later. */
  readonly needs: readonly string[];
}

/**
 * Puts the modules together, without their types and without what nobody calls: as single files,
 * they would be twice as large and a hundred requests. What is behind import() stays by itself.
 *
 * @returns the files as the browser gets them, by names that have a hash of their content
 */
export async function bundle(): Promise<ReadonlyMap<string, BuiltFile>> {
  const [pageFiles, workerFiles] = await Promise.all([build(page), build(worker)])
    // Its process would otherwise stay; one that died would be asked again and again.
    .finally(stop);
  const { outputs } = pageFiles.metafile;
  const needs = new Map(
    Object.entries(outputs).map(([path, { imports }]) => [
      basename(path),
      imports.filter(({ kind }) => kind === "import-statement").map((it) => basename(it.path)),
    ]),
  );
  return new Map(
    [...pageFiles.outputFiles, ...workerFiles.outputFiles].map(({ path, contents }) => {
      const name = basename(path);
      return [name, { content: Buffer.from(contents), needs: needs.get(name) ?? [] }];
    }),
  );
}
