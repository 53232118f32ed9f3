import { fileURLToPath } from "node:url";
import { type BuildOptions, build, stop } from "esbuild";

/** A file of the page as the browser gets it. Its name has a hash of its content. */
export interface Output {
  readonly name: string;
  readonly text: string;
}

export interface Bundle {
  readonly outputs: readonly Output[];
  /** The names of what the index asks for. */
  readonly entries: Readonly<Record<Entry, string>>;
}

const entryPoints = { page: "main.tsx", style: "styles/all.css", icon: "icon.svg" } as const;
type Entry = keyof typeof entryPoints;

/** Where the sources of the page are. */
const folder = fileURLToPath(new URL("../../web/", import.meta.url));

const options = {
  absWorkingDir: folder,
  entryPoints,
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
  metafile: true,
  logLevel: "silent",
  tsconfigRaw: {},
} as const satisfies BuildOptions;

/**
 * Puts the modules together, without their types and without what nobody calls: as single files,
 * they would be twice as large and a hundred requests. What is behind import() stays by itself.
 */
export async function bundle(): Promise<Bundle> {
  const { outputFiles, metafile } = await build(options)
    // Its process would otherwise stay; one that died would be asked again and again.
    .finally(stop);
  const names = Object.entries(metafile.outputs).map(
    ([path, { entryPoint }]) => [entryPoint, baseName(path)] as const,
  );
  const nameOf = (entry: Entry): string =>
    names.find(([source]) => source === entryPoints[entry])?.[1] ?? "";
  return {
    outputs: outputFiles.map(({ path, text }) => ({ name: baseName(path), text })),
    entries: { page: nameOf("page"), style: nameOf("style"), icon: nameOf("icon") },
  };
}

const baseName = (path: string): string => path.replace(/^.*[\\/]/, "");
