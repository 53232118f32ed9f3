import { readFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build, type Plugin, stop } from "esbuild";

/** Where the sources of the page are. */
const folder = fileURLToPath(new URL("../web/", import.meta.url));

/** The oldest browsers that are served, of 2023 and the spring of 2024: the first with popovers. */
const oldest = ["chrome114", "safari17", "firefox125"];

const options = {
  absWorkingDir: folder,
  bundle: true,
  target: oldest,
  minify: true,
  // What it leaves is not for people: the sources are beside it.
  legalComments: "none",
  outdir: "out",
  write: false,
  logLevel: "silent",
  tsconfigRaw: {},
} as const satisfies BuildOptions;

/**
 * What is loaded first is one file: without this, esbuild makes a file of each group of modules that
 * main.tsx shares with one of those behind import(), and a phone waits for each. They all come after
 * the page, so they may as well need the whole of it.
 */
const firstInOne: Plugin = {
  name: "first in one",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
      kind === "dynamic-import" ? { path: join(resolveDir, path), pluginData: "later" } : undefined,
    );
    onLoad({ filter: /\.tsx?$/ }, async ({ path, pluginData }) => {
      if (pluginData !== "later") return undefined;
      const contents = `import ${JSON.stringify(join(folder, "shell/page.tsx"))};\n${await readFile(path, "utf8")}`;
      return { contents, loader: extname(path) === ".tsx" ? "tsx" : "ts" };
    });
  },
};

/** `light-dark(a, b)` is newer than these browsers: base.css sets one of the two variables to nothing. */
const lightOrDark: Plugin = {
  name: "light or dark",
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replaceAll(
        /light-dark\(((?:\([^()]*\)|[^(),])*),((?:\([^()]*\)|[^()])*)\)/g,
        (_, light, dark) => `var(--light, ${light.trim()}) var(--dark, ${dark.trim()})`,
      ),
      loader: "css",
    }));
  },
};

const page = {
  ...options,
  plugins: [firstInOne],
  entryPoints: ["main.tsx", "icons/*"],
  splitting: true,
  format: "esm",
  jsx: "automatic",
  jsxImportSource: "preact",
  loader: { ".svg": "copy", ".png": "copy" },
  entryNames: "[name].[hash]",
  chunkNames: "[name].[hash]",
  metafile: true,
} as const satisfies BuildOptions;

/**
 * Their names have no hash. begin.js and all.css stand in the index; for service-worker.js, browsers
 * ask again to see whether there is a new version of the page.
 */
const single = {
  ...options,
  plugins: [lightOrDark],
  entryPoints: { begin: "begin.ts", "service-worker": "service-worker.ts", all: "styles/all.css" },
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
  const [pageFiles, singleFiles] = await Promise.all([build(page), build(single)])
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
    [...pageFiles.outputFiles, ...singleFiles.outputFiles].map(({ path, contents }) => {
      const name = basename(path);
      return [name, { content: Buffer.from(contents), needs: needs.get(name) ?? [] }];
    }),
  );
}
