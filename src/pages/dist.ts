import { hash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { OperatorError } from "../errors/operator-error.ts";
import { projectFolder } from "../project-folder.ts";
import type { Language } from "../texts/kinds.ts";

/** Where `npm run build` writes the page, and from where the service serves it. */
export const dist = join(projectFolder, "dist");

/** Names the files of a build. It is written last. */
export const BUILD = "build.json";

/** The folder with the sources of the page. */
export const sourceFolder = join(projectFolder, "src/web");

/** The page as `npm run build` makes it. */
export interface Build {
  /** The files from which it was made, by their paths from the folder of the sources. */
  readonly sources: readonly string[];
  readonly hashOfSources: string;
  /**
   * Its files in `dist`: a name has a hash of the content. To each belong those that a browser
   * loads with it, without those behind import().
   */
  readonly files: Readonly<Record<string, readonly string[]>>;
  /** The name of the page in each language. */
  readonly names: Readonly<Record<Language, string>>;
  /** The index, with places for what the service knows. */
  readonly index: string;
  /** What has no name of its own, because the index contains it. */
  readonly script: string;
  readonly style: string;
  /** Its name never changes: browsers check it to see whether there is a new version of the page. */
  readonly worker: string;
}

/**
 * The last build if it is of the sources that are here, and has all its files. Times of files say
 * nothing in a copy.
 */
export function currentBuild(): Build | undefined {
  try {
    const build: Build = JSON.parse(readFileSync(join(dist, BUILD), "utf8"));
    return hashOf(build.sources) === build.hashOfSources && isComplete(build) ? build : undefined;
  } catch {
    return undefined; // there is none, a source is missing, or it is of a version with other builds
  }
}

const isComplete = ({ files }: Build): boolean =>
  Object.keys(files).every((name) => existsSync(join(dist, name)));

export const hashOf = (sources: readonly string[]): string =>
  hash("sha256", Buffer.concat(sources.map((path) => readFileSync(join(sourceFolder, path)))));

export const NO_PAGE = "The page in dist/ is missing or not of these sources: npm run build";

/** @throws OperatorError if there is no page of these sources */
export function requireBuild(): Build {
  const build = currentBuild();
  if (!build) throw new OperatorError(NO_PAGE);
  return build;
}

/** The files of a build by name. */
export const filesOf = ({ files }: Build): ReadonlyMap<string, Buffer> =>
  new Map(Object.keys(files).map((name) => [name, readFileSync(join(dist, name))]));
