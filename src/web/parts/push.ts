import { get, postWithoutKey, remove } from "../api/client.ts";
import { ApiProblem } from "../api/problem.ts";
import { session } from "../sign-in/session.ts";
import { PUSH_KEY, parsed, shared } from "../storage.ts";

/** What a browser can do about messages while the page is closed. */
export type Ability = "possible" | "denied" | "install" | "missing";

export function abilityOfBrowser(): Ability {
  const { serviceWorker } = navigator;
  if (serviceWorker && "PushManager" in globalThis && "Notification" in globalThis)
    return Notification.permission === "denied" ? "denied" : "possible";
  // On iOS only a page on the home screen can.
  return "standalone" in navigator && !navigator.standalone ? "install" : "missing";
}

interface Device {
  readonly id: string;
  readonly endpoint: string;
}

/** What this browser subscribed to, and for whom. */
interface Kept extends Device {
  readonly subject: string | undefined;
}

const kept = (): Kept | undefined => parsed(shared.read(PUSH_KEY));
const subject = (): string | undefined => {
  const now = session.get();
  return now.state === "in" ? now.subject : undefined;
};

/** How long a browser installs the service worker, in milliseconds. */
const PATIENCE = 10_000;

/** The browser's subscription; without a service worker there is none. */
const subscriptionOf = async (): Promise<PushSubscription | undefined> => {
  const registration = await navigator.serviceWorker?.getRegistration();
  return (await registration?.pushManager?.getSubscription()) ?? undefined;
};

export const endpointHere = async (): Promise<string | undefined> =>
  (await subscriptionOf())?.endpoint;

const manager = async (): Promise<PushManager> => {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error("there is no service worker")), PATIENCE);
  });
  return (await Promise.race([navigator.serviceWorker.ready, late])).pushManager;
};

const base64url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** @returns whether the person allowed it */
export async function turnOn(applicationServerKey: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== "granted") return false;
  const pushes = await manager();
  const before = await pushes.getSubscription();
  // A building that lost its database has another key.
  const key = before?.options.applicationServerKey;
  const isGood = key && base64url(key) === applicationServerKey;
  if (!isGood) await before?.unsubscribe();
  await register(
    isGood && before
      ? before
      : await pushes.subscribe({ userVisibleOnly: true, applicationServerKey }),
  );
  return true;
}

async function register(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  const body = { endpoint, p256dh: keys?.p256dh, auth: keys?.auth };
  const { push_subscription } = await postWithoutKey<{ readonly push_subscription: Device }>(
    "/push-subscriptions",
    body,
  );
  const { id } = push_subscription;
  shared.write(PUSH_KEY, JSON.stringify({ id, endpoint, subject: subject() }));
}

/** Ends it in the browser, whatever the service answers: its push service then has no such device. */
export async function turnOff(): Promise<void> {
  const { id } = kept() ?? {};
  shared.remove(PUSH_KEY);
  await (await subscriptionOf())?.unsubscribe();
  if (id !== undefined) await end(id);
}

/** How long signing out waits for it, in milliseconds. */
const LEAVING = 3_000;

export const leaveDevice = (): Promise<unknown> =>
  Promise.race([turnOff(), new Promise((resolve) => setTimeout(resolve, LEAVING))]);

/** Somebody else may have signed in on the device meanwhile, or its push service may have ended it. */
export const end = (id: string): Promise<unknown> =>
  remove(`/push-subscriptions/${id}`).catch((error) => {
    if (!(error instanceof ApiProblem && error.status === 404)) throw error;
  });

/**
 * The device tells the person who signed in last. The browser may also have made a new endpoint, of which
 * its service worker, which has no token, cannot tell the service.
 */
export async function followDevice(): Promise<void> {
  const before = kept();
  const subscription = await subscriptionOf();
  if (before === undefined || session.get().state !== "in") return;
  if (subscription === undefined) shared.remove(PUSH_KEY);
  else if (subscription.endpoint !== before.endpoint || before.subject !== subject())
    await register(subscription);
}

export interface Pushes {
  /** Undefined if this building sends none. */
  readonly key: string | undefined;
  readonly devices: readonly Device[];
}

export async function readPushes(): Promise<Pushes> {
  const { push_key } = await get<{ readonly push_key: { readonly public_key: string } | null }>(
    "/push-key",
  );
  if (push_key === null) return { key: undefined, devices: [] };
  const { push_subscriptions } = await get<{ readonly push_subscriptions: readonly Device[] }>(
    "/push-subscriptions",
  );
  return { key: push_key.public_key, devices: push_subscriptions };
}
