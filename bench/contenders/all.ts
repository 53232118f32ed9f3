import { projectFolder } from "../../src/project-folder.ts";
import { startIssuer } from "../building/people.ts";
import { openSite, usualSize } from "../building/site.ts";
import { startLoad } from "../load/load.ts";
import { isNamed, type Options } from "../options.ts";
import { type Contender, FLOOR, SERVICE } from "./contender.ts";
import { type Arena, httpContender } from "./http.ts";
import { koaContenders, startKoa } from "./koa.ts";
import { startService } from "./service.ts";

/** Everybody who takes part; the stack ends them. */
export async function openContenders(
  options: Options,
  stack: AsyncDisposableStack,
): Promise<readonly Contender[]> {
  const arena: Arena = {
    load: stack.adopt(startLoad(), (it) => it.close()),
    issuer: stack.adopt(await startIssuer(), (it) => it.close()),
  };
  const place = await openPlace(projectFolder, stack);
  const service = stack.use(await startService(place, arena.issuer, "memory"));
  const koa = stack.use(await startKoa());
  const contenders = [
    ...koaContenders(koa, service, arena, place),
    httpContender(SERVICE, service, arena, place),
    ...(options.also === undefined ? [] : [await openAlso(options.also, arena, stack)]),
  ];
  return contenders.filter(({ name }) => name === FLOOR || isNamed(name, options.against));
}

async function openPlace(folder: string, stack: AsyncDisposableStack) {
  const site = stack.adopt(await openSite(folder), (it) => it.close());
  return { site, building: await site.build("bench", usualSize) };
}

async function openAlso(folder: string, arena: Arena, stack: AsyncDisposableStack) {
  const place = await openPlace(folder, stack);
  const service = stack.use(await startService(place, arena.issuer, "memory"));
  return httpContender("service of --also", service, arena, place);
}
