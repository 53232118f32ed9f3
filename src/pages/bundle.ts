import { readFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build, type Plugin, stop } from "esbuild";

/** The folder with the sources of the page. */
const folder = fileURLToPath(new URL("../web/", import.meta.url));

/** The oldest supported browsers, of 2023 and the spring of 2024: the first with popovers. */
const oldest = ["chrome114", "safari17", "firefox125"];

const options = {
  absWorkingDir: folder,
  bundle: true,
  target: oldest,
  minify: true,
  // The comments that are left are not for people, because the sources are beside the bundle.
  legalComments: "none",
  outdir: "out",
  write: false,
  logLevel: "silent",
  tsconfigRaw: {},
} as const satisfies BuildOptions;

/**
 * Puts the code of the first load into one file. Otherwise esbuild makes a file for each group of
 * modules that main.tsx shares with one behind import(), and a phone waits for each of them. Code
 * behind import() comes after the page, so it may depend on all of it.
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

/** These browsers lack `light-dark(a, b)`: base.css sets one of the two variables to nothing. */
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
 * Their names have no hash. The index contains begin.js and all.css. Browsers check
 * service-worker.js to see whether there is a new version of the page.
 */
const single = {
  ...options,
  plugins: [lightOrDark],
  entryPoints: { begin: "begin.ts", "service-worker": "service-worker.ts", all: "styles/all.css" },
  format: "iife",
} as const satisfies BuildOptions;

export interface BuiltFile {
  readonly content: Buffer;
  /** The names of the files that a browser loads with it, without those behind import(). */
  readonly needs: readonly string[];
}

/**
 * Bundles the modules without types and unused code, because single files would be twice as large
 * and need a hundred requests. Code behind import() stays separate.
 * @returns the files for the browser, by names with a hash of their content
 */
export async function bundle(): Promise<ReadonlyMap<string, BuiltFile>> {
  const [pageFiles, singleFiles] = await Promise.all([build(page), build(single)])
    // Otherwise esbuild's process would stay, and one that died would be called again and again.
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
