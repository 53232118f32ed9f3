import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join, relative } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { isAsset } from "../addresses.ts";
import { de } from "../web/messages/de.ts";
import { en } from "../web/messages/en.ts";
import { BUILD, type Build, dist, hashOf, sourceFolder } from "./dist.ts";

/** The oldest supported browsers, of 2023 and the spring of 2024: the first with popovers. */
const oldest = ["chrome114", "safari17", "firefox125"];

const options = {
  absWorkingDir: sourceFolder,
  bundle: true,
  target: oldest,
  minify: true,
  // The comments that are left are not for people, because the sources are beside the bundle.
  legalComments: "none",
  outdir: "out",
  write: false,
  logLevel: "silent",
  metafile: true,
  tsconfigRaw: {},
} as const satisfies BuildOptions;

/**
 * Puts the code of the first load into one file. Otherwise esbuild makes a file for each group of
 * modules that main.tsx shares with one behind import(), and a phone waits for each of them. Code
 * behind import() comes after the page, so it may depend on all of it.
 */
const firstInOne: Plugin = {
  name: "first in one",
  async setup({ onLoad }) {
    const later = await importedLater();
    onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
      if (!later.has(path)) return undefined;
      const contents = `import ${JSON.stringify(join(sourceFolder, "shell/page.tsx"))};\n${await readFile(path, "utf8")}`;
      return { contents, loader: extname(path) === ".tsx" ? "tsx" : "ts" };
    });
  },
};

/** The modules behind import(). Others may import them, too. */
async function importedLater(): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const name of await readdir(sourceFolder, { recursive: true })) {
    if (!/\.tsx?$/.test(name)) continue;
    const file = join(sourceFolder, name);
    for (const [, path = ""] of (await readFile(file, "utf8")).matchAll(/import\("(\.[^"]+)"\)/g))
      found.add(join(dirname(file), path));
  }
  return found;
}

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
} as const satisfies BuildOptions;

/** Their names have no hash: they go into the description of the build. */
const single = {
  ...options,
  plugins: [lightOrDark],
  entryPoints: { script: "begin.ts", worker: "service-worker.ts", style: "styles/all.css" },
  format: "iife",
} as const satisfies BuildOptions;

/**
 * Bundles the modules without types and unused code, because single files would be twice as large
 * and need a hundred requests. Code behind import() stays separate. A service that reads the folder
 * meanwhile, or a second build, finds every file complete.
 */
export async function buildPage(): Promise<void> {
  const [pageFiles, singleFiles] = await Promise.all([build(page), build(single)]);
  const sources = [
    ...Object.keys({ ...pageFiles.metafile.inputs, ...singleFiles.metafile.inputs }),
    "index.html",
    relative(sourceFolder, import.meta.filename),
  ];
  const { outputs } = pageFiles.metafile;
  const textOf = (name: string): string =>
    singleFiles.outputFiles
      .find(({ path }) => basename(path, extname(path)) === name)
      ?.text.trim() ?? "";
  const made: Build = {
    sources,
    hashOfSources: hashOf(sources),
    files: Object.fromEntries(
      Object.entries(outputs).map(([path, { imports }]) => [
        basename(path),
        imports.filter(({ kind }) => kind === "import-statement").map((it) => basename(it.path)),
      ]),
    ),
    names: { en: en["app.name"], de: String(de["app.name"]) },
    index: await readFile(join(sourceFolder, "index.html"), "utf8"),
    script: textOf("script"),
    style: textOf("style"),
    worker: textOf("worker"),
  };
  await mkdir(dist, { recursive: true });
  for (const { path, contents } of pageFiles.outputFiles) await write(basename(path), contents);
  await write(BUILD, JSON.stringify(made));
  for (const name of await readdir(dist)) {
    if (isAsset(`/${name}`) && !(name in made.files)) await rm(join(dist, name), { force: true });
  }
}

/** Only a complete file gets the name. */
async function write(name: string, content: string | Uint8Array): Promise<void> {
  const unfinished = join(dist, `${name}.${process.pid}`);
  await writeFile(unfinished, content);
  await rename(unfinished, join(dist, name));
}
