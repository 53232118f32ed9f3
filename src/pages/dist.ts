import { hash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isAsset } from "../addresses.ts";
import { OperatorError } from "../errors/operator-error.ts";
import { projectFolder } from "../project-folder.ts";

/** Where `npm run build` writes the page, and from where the service serves it. */
export const dist = join(projectFolder, "dist");

/** Names the files of a build. It is written last. */
export const BUILD = "build.json";

/** The folder with the sources of the page. */
export const sourceFolder = join(projectFolder, "src/web");

/** The page as `npm run build` makes it. */
export interface Build {
  /** Hashes of the files from which it was made, by their paths from the folder of the sources. */
  readonly sources: Readonly<Record<string, string>>;
  /**
   * Its files in `dist`: a name has a hash of the content. To each belong those that a browser
   * loads with it, without those behind import().
   */
  readonly files: Readonly<Record<string, readonly string[]>>;
  /** What has no name of its own, because the index contains it. */
  readonly script: string;
  readonly style: string;
  /** Its name never changes: browsers check it to see whether there is a new version of the page. */
  readonly worker: string;
}

/** The last build, or undefined. */
export function lastBuild(): Build | undefined {
  try {
    return JSON.parse(readFileSync(join(dist, BUILD), "utf8"));
  } catch {
    return undefined;
  }
}

/** The last build if it is of the sources that are here. Times of files say nothing in a copy. */
export function currentBuild(): Build | undefined {
  const build = lastBuild();
  const isCurrent = Object.entries(build?.sources ?? {}).every(([p, it]) => hashOfSource(p) === it);
  return isCurrent ? build : undefined;
}

/** The hash of a source, or undefined where there is none. */
export function hashOfSource(path: string): string | undefined {
  try {
    return hash("sha256", readFileSync(join(sourceFolder, path)), "base64url");
  } catch {
    return undefined;
  }
}

/** @throws OperatorError if there is no page of these sources */
export function requireBuild(): Build {
  const build = currentBuild();
  if (build) return build;
  throw new OperatorError("The page in dist/ is missing or not of these sources: npm run build");
}

/** All files in `dist` by name, also those of the build before, for which open pages may ask. */
export const filesInDist = (): ReadonlyMap<string, Buffer> =>
  new Map(
    readdirSync(dist)
      .filter((name) => isAsset(`/${name}`))
      .map((name) => [name, readFileSync(join(dist, name))]),
  );
