import { useState } from "preact/hooks";
import { get, postWithoutKey, remove } from "../../api/client.ts";
import { answer } from "../../api/lists.ts";
import { useReading } from "../../api/reading.ts";
import { t } from "../../messages/translate.ts";
import { download } from "../../parts/download.ts";
import { ActionButton, Actions } from "../../parts/form.tsx";
import { ShownOnce } from "../../parts/shown-once.tsx";
import { whenRead } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { formatted } from "../../time/format.ts";

interface Feed {
  readonly created_at: string;
}

interface Answer<Shown> {
  readonly feed: Shown;
}

const feedOfApi = answer<Answer<Feed | null>>("/calendar-feed", ["calendar-feed"]);

/** The person's claims, for the calendar of their phone or computer. */
export const Calendar = () =>
  whenRead(useReading(feedOfApi), ({ feed }) => <Subscription feed={feed} />);

function Subscription({ feed }: { readonly feed: Feed | null }) {
  // The service shows it only once.
  const [url, setUrl] = useState<string>();
  const subscribe = async () => {
    const body = { language: document.documentElement.lang };
    const made = await postWithoutKey<Answer<{ readonly url: string }>>("/calendar-feed", body);
    setUrl(addressHere(made.feed.url));
  };
  const end = async () => {
    await remove("/calendar-feed");
    setUrl(undefined);
    toast(t("calendar.ended"));
  };
  const save = async () =>
    download("calendar.ics", "text/calendar", await get<string>("/calendar.ics"));
  return (
    <section class="card stack" aria-labelledby="calendar">
      <h2 id="calendar">{t("calendar.title")}</h2>
      <p>{t("calendar.text")}</p>
      {feed !== null && (
        <p class="quiet">{t("calendar.since", { date: formatted("date", feed.created_at) })}</p>
      )}
      {feed !== null && url !== undefined && <Address url={url} />}
      <Actions>
        <ActionButton
          act={subscribe}
          class={feed === null ? "main-action" : undefined}
          text={feed === null ? "calendar.subscribe" : "calendar.renew"}
        />
        {feed !== null && <ActionButton act={end} class="danger" text="calendar.end" />}
        <ActionButton act={save} text="calendar.download" />
      </Actions>
    </section>
  );
}

const Address = ({ url }: { readonly url: string }) => (
  <ShownOnce
    name="address"
    label="calendar.address"
    hint="calendar.addressHint"
    value={url}
    copied="calendar.copied"
  >
    <a class="button main-action" href={url.replace(/^https?:/, "webcal:")}>
      {t("calendar.open")}
    </a>
  </ShownOnce>
);

/** The API is at the same origin as this page, which a proxy may not have passed on. */
function addressHere(url: string): string {
  const { pathname, search } = new URL(url);
  return location.origin + pathname + search;
}
