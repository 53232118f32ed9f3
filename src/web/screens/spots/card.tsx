import { useEffect, useRef } from "preact/hooks";
import { addresses, addressOfSpot } from "../../../addresses.ts";
import { useReading } from "../../api/reading.ts";
import type { Pattern } from "../../api/resources.ts";
import { plain, type Text, t } from "../../messages/translate.ts";
import { Person } from "../../parts/contact.tsx";
import { Button, Icon, Link } from "../../parts/controls.tsx";
import { MoreMenu } from "../../parts/menu.tsx";
import { hrefOf, updateQuery, useRoute } from "../../routing.ts";
import { formatNear, formatted, weekdayName } from "../../time/format.ts";
import { startOfDay, timeZone } from "../../time/zone.ts";
import { type ClaimAt, claimsAt, type OwnSpot } from "./own-spots.ts";
import { WEEKDAYS } from "./plan.ts";
import { Week } from "./week.tsx";

interface CardProperties {
  readonly own: OwnSpot;
  readonly monday: string;
  readonly now: number;
}

export function Card({ own, monday, now }: CardProperties) {
  const { spot, windows, patterns } = own;
  const { query } = useRoute();
  const claims = useReading(claimsAt(spot.id)).value ?? [];
  const ref = useRef<HTMLLIElement>(null);
  const isChosen = query.spot === spot.id;
  useEffect(() => {
    if (isChosen) ref.current?.scrollIntoView({ block: "start" });
  }, [isChosen]);
  const open = (name: string) => () => updateQuery({ [name]: spot.id });
  const described = { "aria-describedby": `spot-${spot.id}` };
  return (
    <li ref={ref} class={isChosen ? "card stack own-spot chosen" : "card stack own-spot"}>
      <div class="stack own-spot-about">
        <div>
          <div class="own-spot-head">
            <h2 id={`spot-${spot.id}`} class="big">
              {plain(spot.spot_number)}
            </h2>
            <MoreMenu label={t("spots.more", { spot: spot.spot_number })}>
              <Button class="entry" onClick={open("edit")} text="app.edit" />
              <Link href={addressOfSpot(spot)} class="entry" text="spots.asNeighbour" />
              <Link
                href={hrefOf(addresses.signs, { spot: spot.id })}
                class="entry"
                text="spots.sign"
              />
            </MoreMenu>
          </div>
          <div class="actions">
            <span class="quiet">{plain(spot.building_section)}</span>
            {spot.is_verified ? (
              <span class="badge good">
                <Icon name="check" />
                {t("spots.verified")}
              </span>
            ) : (
              <span class="badge attention">{t("spots.unverified")}</span>
            )}
          </div>
          {spot.notes !== undefined && <p>{plain(spot.notes)}</p>}
        </div>
        <div class="actions no-print">
          <Button {...described} class="main-action" onClick={open("share")} text="share.share" />
          <Button {...described} onClick={open("keep")} text="exceptions.keepTitle" />
          <Button {...described} onClick={open("away")} text="exceptions.shareTitle" />
        </div>
      </div>
      <Week own={own} claims={claims} monday={monday} now={now} />
      <div class="stack own-spot-more">
        {windows.length === 0 && <p class="quiet">{t("spots.notShared")}</p>}
        <Lent claims={claims} now={now} />
        {patterns.length > 0 && <Patterns patterns={patterns} />}
      </div>
    </li>
  );
}

const MOST = 6;

function Lent({ claims, now }: { readonly claims: readonly ClaimAt[]; readonly now: number }) {
  const ahead = claims.filter(({ end_time }) => Date.parse(end_time) > now).slice(0, MOST);
  if (ahead.length === 0) return null;
  return (
    <div>
      <h3>{t("spots.claimed")}</h3>
      <ul class="windows">
        {ahead.map(({ id, start_time, end_time, contact }) => (
          <li key={id}>
            <span class="near">
              {formatNear(Date.parse(start_time), Date.parse(end_time), now)}
            </span>
            <span class="contact">{contact && <Person {...contact} />}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const Patterns = ({ patterns }: { readonly patterns: readonly Pattern[] }) => (
  <ul class="windows">
    {patterns.map((pattern) => {
      const name = described(pattern);
      return (
        <li key={pattern.id}>
          <span>{name}</span>
          <Button
            class="small-action"
            aria-label={t("pattern.changeThis", { pattern: name })}
            onClick={() => updateQuery({ pattern: pattern.id })}
            text="app.change"
          />
        </li>
      );
    })}
  </ul>
);

/** Such as `Mon, Tue · 08:00 – 18:00 · from 23 Nov 2026`. */
function described({ weekdays, starts_at, ends_at, first_day, last_day }: Pattern): Text {
  const day = (date: string) => formatted("date", startOfDay(date, timeZone()));
  const names = WEEKDAYS.flatMap((one, index) =>
    weekdays.includes(one) ? [weekdayName(index)] : [],
  );
  const dates =
    last_day === null
      ? t("pattern.from", { first: day(first_day) })
      : t("pattern.fromUntil", { first: day(first_day), last: day(last_day) });
  return plain([names.join(", "), `${starts_at} – ${ends_at}`, dates].join(" · "));
}
