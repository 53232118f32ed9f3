import { allProfiles, isErased } from "../../api/administration.ts";
import { put } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import { useReading } from "../../api/reading.ts";
import type { Profile } from "../../api/resources.ts";
import { elements, part, plain } from "../../elements.ts";
import { t } from "../../messages/translate.ts";
import { Choice } from "../../parts/choice.ts";
import { Empty, whenRead } from "../../parts/states.ts";
import { toast } from "../../parts/toasts.ts";
import { look, usePlace } from "../../routing.ts";
import { formatted } from "../../time/format.ts";
import { BulkBar } from "../administration/bulk-bar.ts";
import { Entry } from "../administration/entry.ts";
import { nameOf } from "../administration/people.ts";
import { Search } from "../administration/search.ts";
import { useSelection } from "../administration/selection.ts";
import { AccountDialog } from "./dialog.ts";
import { countOf, groups, isWaiting, shownOf } from "./groups.ts";

const { div, span, ul } = elements;

/** Everybody who registered; who waits comes first. */
export function Accounts() {
  return whenRead(useReading(allProfiles), (profiles) => part(List, { profiles }));
}

function List({ profiles }: { readonly profiles: readonly Profile[] }) {
  const { query } = usePlace();
  const shown = shownOf(profiles, query.show, query.search);
  const selection = useSelection(shown.filter(isWaiting));
  const approve = (rows: readonly Profile[]) => selection.change(rows, approval);
  return div(
    { class: "stack" },
    div(
      { class: "controls no-print" },
      part(Choice<string>, {
        label: t("admin.show"),
        value: query.show ?? "",
        options: groups.map(
          ({ name, title }) => [name, plain(`${t(title)} ${countOf(profiles, name)}`)] as const,
        ),
        choose: (show) => look({ show }),
      }),
      part(Search, { hint: t("accounts.searchHint") }),
    ),
    part(BulkBar<Profile>, {
      selection,
      nameOf,
      action: t("accounts.approve"),
      act: () => approve(selection.chosen),
    }),
    shown.length === 0
      ? part(Empty, { title: t("admin.none"), text: t("admin.noneText") })
      : ul(
          { class: "entries" },
          shown.map((profile) =>
            part(Entry<Profile>, {
              key: profile.id,
              row: profile,
              name: nameOf(profile),
              badges: badgesOf(profile),
              about: aboutOf(profile),
              selection,
              action: isWaiting(profile) && {
                name: t("accounts.approve"),
                label: t("accounts.approveOne", { name: nameOf(profile) }),
                run: () => approve([profile]),
              },
              manage: () => look({ account: profile.id }),
            }),
          ),
        ),
    part(AccountDialog, { profiles }),
  );
}

const approval = {
  one: ({ id }: Profile) => put(`/admin/profiles/${id}`, { is_approved: true }),
  after(count: number) {
    changed("profiles");
    toast(t("accounts.done", { count }));
  },
};

const badgesOf = (profile: Profile) => [
  isWaiting(profile) && span({ key: "waiting", class: "badge attention" }, t("account.waiting")),
  profile.is_admin &&
    span({ key: "administrator", class: "badge accent" }, t("account.administrator")),
];

const aboutOf = (profile: Profile): readonly string[] => [
  ...(isErased(profile)
    ? []
    : [t("account.apartment", { number: profile.apartment_number }), profile.email]),
  t("accounts.since", { date: formatted("date", profile.created_at) }),
];
