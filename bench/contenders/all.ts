import { projectFolder } from "../../src/project-folder.ts";
import { startIssuer } from "../building/people.ts";
import { openSite, tenYearsOfHistory, usualSize, yearOfHistory } from "../building/site.ts";
import { startLoad } from "../load/load.ts";
import { isNamed, type Options } from "../options.ts";
import {
  type Contender,
  FLOOR,
  FRESH,
  LARGE,
  LIMITS,
  type Place,
  SERVICE,
  SMALL,
} from "./contender.ts";
import { type Arena, httpContender } from "./http.ts";
import { koaContenders, startKoa } from "./koa.ts";
import { openPeers } from "./peers.ts";
import { startService } from "./service.ts";

/** Everybody who takes part; the stack ends them. */
export async function openContenders(
  options: Options,
  stack: AsyncDisposableStack,
): Promise<readonly Contender[]> {
  const arena = await openArena(stack);
  const place = await openPlace(projectFolder, stack);
  const service = await openService(SERVICE, "memory", arena, place, stack);
  const koa = stack.use(await startKoa());
  if (options.peers) {
    const [floor] = koaContenders(koa, service, arena, place);
    return [floor, service, ...(await openPeers(service, arena, place, stack, []))];
  }
  const contenders: Contender[] = [...koaContenders(koa, service, arena, place), service];
  if (options.also !== undefined) {
    const other = await openPlace(options.also, stack);
    contenders.push(await openService("service of --also", "memory", arena, other, stack));
    if (isWanted(LIMITS, options))
      contenders.push(await openService(`${LIMITS} of --also`, "postgres", arena, other, stack));
  }
  if (isWanted(FRESH, options)) {
    const building = await place.site.build("fresh", usualSize, "fresh");
    const fresh = { site: place.site, building };
    contenders.push(await openService(FRESH, "memory", arena, fresh, stack));
  }
  if (isWanted(LIMITS, options))
    contenders.push(await openService(LIMITS, "postgres", arena, place, stack));
  contenders.push(...(await openPeers(service, arena, place, stack, options.against)));
  return contenders.filter(({ name }) => name === FLOOR || isNamed(name, options.against));
}

/** With --quick only those take part that --against names. */
const isWanted = (name: string, { quick, against }: Options): boolean =>
  against.length > 0 ? isNamed(name, against) : !quick;

/** The service with the history of a year, and with one of ten in a building of twenty times the size. */
export async function openHistories(
  options: Options,
  stack: AsyncDisposableStack,
): Promise<readonly Contender[]> {
  const arena = await openArena(stack);
  const contenders: Contender[] = [];
  for (const folder of [projectFolder, ...(options.also === undefined ? [] : [options.also])]) {
    const site = stack.adopt(await openSite(folder), (it) => it.close());
    const suffix = folder === projectFolder ? "" : " (--also)";
    for (const [name, size] of [
      [`${SMALL}${suffix}`, yearOfHistory],
      [`${LARGE}${suffix}`, tenYearsOfHistory],
    ] as const) {
      const building = await site.build(`spots_${size.spots}`, size);
      contenders.push(await openService(name, "memory", arena, { site, building }, stack));
    }
  }
  return contenders;
}

const openArena = async (stack: AsyncDisposableStack): Promise<Arena> => ({
  load: stack.adopt(startLoad(), (it) => it.close()),
  issuer: stack.adopt(await startIssuer(), (it) => it.close()),
});

async function openPlace(folder: string, stack: AsyncDisposableStack): Promise<Place> {
  const site = stack.adopt(await openSite(folder), (it) => it.close());
  return { site, building: await site.build("bench", usualSize) };
}

async function openService(
  name: string,
  limits: "memory" | "postgres",
  arena: Arena,
  place: Place,
  stack: AsyncDisposableStack,
) {
  const program = stack.use(await startService(place, arena.issuer, limits));
  return httpContender(name, program, arena, place);
}
