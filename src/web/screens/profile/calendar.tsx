import { useState } from "preact/hooks";
import { get, postWithoutKey, remove } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import { type Source, useReading } from "../../api/reading.ts";
import { t } from "../../messages/translate.ts";
import { download } from "../../parts/download.ts";
import { ActionButton, Refusal, useAction } from "../../parts/form.tsx";
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

const feedOfApi: Source<Answer<Feed | null>> = {
  key: "calendar feed",
  topics: ["calendar"],
  read: () => get<Answer<Feed | null>>("/calendar-feed"),
};

/** The person's claims, for the calendar of their phone or computer. */
export const Calendar = () =>
  whenRead(useReading(feedOfApi), ({ feed }) => <Subscription feed={feed} />);

function Subscription({ feed }: { readonly feed: Feed | null }) {
  // The service shows it only once.
  const [url, setUrl] = useState<string>();
  const action = useAction();
  const subscribe = async () => {
    const body = { language: document.documentElement.lang };
    const made = await postWithoutKey<Answer<{ readonly url: string }>>("/calendar-feed", body);
    setUrl(addressHere(made.feed.url));
    changed("calendar");
  };
  const end = async () => {
    await remove("/calendar-feed");
    setUrl(undefined);
    changed("calendar");
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
      <Refusal action={action} />
      <div class="actions">
        <ActionButton
          action={action}
          act={subscribe}
          class={feed === null ? "main-action" : undefined}
        >
          {t(feed === null ? "calendar.subscribe" : "calendar.renew")}
        </ActionButton>
        {feed !== null && (
          <ActionButton action={action} act={end} class="danger">
            {t("calendar.end")}
          </ActionButton>
        )}
        <ActionButton action={action} act={save}>
          {t("calendar.download")}
        </ActionButton>
      </div>
    </section>
  );
}

const Address = ({ url }: { readonly url: string }) => (
  <ShownOnce
    name="address"
    label={t("calendar.address")}
    hint={t("calendar.addressHint")}
    value={url}
    copied={t("calendar.copied")}
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
