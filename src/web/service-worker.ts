/**
 * Keeps the page's files, so that it starts at once and without a network. Answers of the API,
 * signing in and other pages bypass it. Each version of the page has another file (VERSION precedes
 * it). This fetches the new files, takes over and deletes the old ones, so index and files always
 * match. The running page is notified (./version.ts).
 */
import { isAsset, isPage } from "../addresses.ts";
import type { PushMessage } from "../push/message.ts";

/** Where a notification and its button lead to. */
interface Places {
  readonly path: string;
  readonly claim?: string | undefined;
}
declare const VERSION: string;
/** The files of all languages: without a network, a person may choose another language. */
declare const LANGUAGES: readonly string[];
declare const self: ServiceWorkerGlobalScope;

const INDEX = "/";

self.addEventListener("install", (event) => event.waitUntil(fetchPage()));
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin || request.method !== "GET") return;
  if (request.mode === "navigate" && isPage(pathname)) event.respondWith(index(request));
  else if (isAsset(pathname)) event.respondWith(file(request));
});

self.addEventListener("push", (event) => event.waitUntil(show(event)));
/**
 * The worker has no token, so it claims nothing by itself: *Claim* opens the claim form, where one
 * more tap does it. A turn that is declined ends at its own time.
 */
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { path, claim = path } = event.notification.data as Places;
  if (event.action !== "later") event.waitUntil(open(event.action === "claim" ? claim : path));
});
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));

/** Each push shows something, for browsers end subscriptions that show nothing. */
async function show({ data }: PushEvent): Promise<void> {
  if (data === null) return;
  const { title, body, lang, tag, path, claim } = data.json() as PushMessage;
  const options = {
    body,
    lang,
    tag,
    data: { path, claim: claim?.path } satisfies Places,
    // The types of TypeScript lack them.
    ...(claim && {
      actions: [
        { action: "claim", title: claim.claim },
        { action: "later", title: claim.later },
      ],
    }),
  };
  await self.registration.showNotification(title, options);
}

async function open(path: string): Promise<void> {
  const [tab] = await self.clients.matchAll({ type: "window" });
  // A tab that this worker does not control cannot be sent anywhere.
  const there = await tab?.navigate(path).catch(() => null);
  if (there) await there.focus();
  else await self.clients.openWindow(path);
}

/** The page tells the service of it when it is opened next (parts/push.ts). */
async function renew({
  oldSubscription,
  newSubscription,
}: PushSubscriptionChangeEvent): Promise<void> {
  const applicationServerKey = oldSubscription?.options.applicationServerKey;
  if (newSubscription || !applicationServerKey) return;
  const { pushManager } = self.registration;
  await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
}

/**
 * Each start needs the files that the index names, and those of any language. The rest is kept once
 * it was opened.
 */
async function fetchPage(): Promise<void> {
  const cache = await caches.open(VERSION);
  const found = await fetch(INDEX, { cache: "no-cache" });
  if (!found.ok) throw new Error(`${found.status} ${INDEX}`);
  const text = await found.clone().text();
  // During an upgrade another process may answer. The browser tries again at a later visit.
  if (!text.includes(VERSION)) throw new Error(`${INDEX} is of another version`);
  const named = [...text.matchAll(/="(\/[^"]+)"/g)].map(([, path = ""]) => path);
  const needed = named.filter((it) => isAsset(it) && !it.endsWith(".png"));
  try {
    await cache.addAll([...new Set([...needed, ...LANGUAGES])]);
    await cache.put(INDEX, found);
  } catch (error) {
    // If there is no room, the page comes from the network. The files of an older version would be
    // of no use.
    if (!(error instanceof DOMException && error.name === "QuotaExceededError")) throw error;
    await caches.delete(VERSION);
  }
  await self.skipWaiting();
}

async function takeOver(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((it) => it !== VERSION).map((it) => caches.delete(it)));
  await self.clients.claim();
}

/** Answers depend on values, such as the origin, that are equal for all requests of the page. */
const ofAll = { ignoreVary: true };

/** Undefined if the browser cannot open it, for example because the disk is full. */
const opened = () => caches.open(VERSION).catch(() => undefined);

async function index(request: Request): Promise<Response> {
  const cache = await opened();
  return (await cache?.match(INDEX, ofAll)) ?? fetch(request);
}

async function file(request: Request): Promise<Response> {
  const cache = await opened();
  const kept = await cache?.match(request, ofAll);
  if (kept !== undefined) return kept;
  const found = await fetch(request);
  // If there is no room, it is fetched each time.
  if (found.ok) await cache?.put(request, found.clone()).catch(() => {});
  return found;
}
