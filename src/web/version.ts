import { ofTab } from "./storage.ts";
import { createStore } from "./store.ts";

export const isOutdated = createStore(false);

/** How often an open page asks for a new version, in milliseconds. */
const EVERY = 60 * 60_000;
/** The delay in milliseconds, because the data of the first screen comes first. */
const LATER = 2_000;
/** During an upgrade two versions may answer in turn. This pause prevents endless reloads. */
const NOT_AGAIN_FOR = 60_000;
const BEGAN_AGAIN = "began-again";

/**
 * Dictation counts too, although it presses nothing. The browser's own navigator.userActivation
 * outlives a reload.
 */
let isTouched = false;
const touch = () => {
  isTouched = true;
};

/** Installs the service worker, which keeps the page's files, and follows new versions of it. */
export function followVersion(): void {
  const { serviceWorker } = navigator;
  // Without https, for example in a private network, there is no service worker.
  if (serviceWorker === undefined) return;
  for (const type of ["pointerdown", "keydown", "input"])
    addEventListener(type, touch, { once: true });
  let isFirst = serviceWorker.controller === null;
  serviceWorker.addEventListener("controllerchange", () => {
    if (!isFirst) useNewVersion();
    isFirst = false;
  });
  // If the service worker cannot be installed, the page works without it.
  addEventListener("load", () => setTimeout(() => register(serviceWorker).catch(() => {}), LATER));
}

async function register(serviceWorker: ServiceWorkerContainer): Promise<void> {
  const registration = await serviceWorker.register(address(), { updateViaCache: "none" });
  let askedAt = Number.NEGATIVE_INFINITY;
  const ask = () => {
    if (document.visibilityState !== "visible" || Date.now() - askedAt < EVERY) return;
    askedAt = Date.now();
    registration.update().catch(() => {});
  };
  // By itself, Chromium asks only some time after a visit.
  ask();
  setInterval(ask, EVERY / 4);
  document.addEventListener("visibilitychange", ask);
}

function useNewVersion(): void {
  const beganAgain = Number(ofTab.read(BEGAN_AGAIN) ?? 0);
  const isSeldom = Date.now() - beganAgain > NOT_AGAIN_FOR;
  // If nobody has touched the page, nothing is lost.
  if (isSeldom && !isTouched && ofTab.write(BEGAN_AGAIN, String(Date.now()))) {
    location.reload();
  } else isOutdated.set(true);
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(): string },
  ): { createScriptURL(input: string): string };
}

/** The policy allows no text as the address of a script, except this one. */
function address(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const path = "/service-worker.js";
  if (trustedTypes === undefined) return path;
  return trustedTypes
    .createPolicy("service-worker", { createScriptURL: () => path })
    .createScriptURL("");
}
