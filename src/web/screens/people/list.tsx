import { allInvitations } from "../../api/administration.ts";
import { remove } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import type { Invitation } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { BulkBar } from "../../parts/administration/bulk-bar.tsx";
import { Entry } from "../../parts/administration/entry.tsx";
import { matches, Search } from "../../parts/administration/search.tsx";
import { useSelection } from "../../parts/administration/selection.ts";
import { Choice } from "../../parts/choice.tsx";
import { Icon } from "../../parts/icons.tsx";
import { Empty } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { updateQuery, useRoute } from "../../routing.ts";
import { formatted } from "../../time/format.ts";
import { InvitationDialog } from "./dialog.tsx";
import { nameOf, refusalOf } from "./words.ts";

const groups = ["", "open", "accepted", "lapsed"] as const;
const titles = {
  "": "admin.all",
  open: "people.open",
  accepted: "people.accepted",
  lapsed: "people.lapsed",
} as const;

const isIn = (group: string) => (invitation: Invitation) =>
  group === "" || invitation.status === group;
const isOpen = isIn("open");

interface InvitationsProperties {
  readonly invitations: readonly Invitation[];
  /** Shows the letter for these addresses. */
  readonly tell: (addresses: readonly string[]) => void;
}

/** Everybody who was invited, the last list first. */
export function Invitations({ invitations, tell }: InvitationsProperties) {
  const { query } = useRoute();
  const { show = "", search = "" } = query;
  const shown = invitations
    .filter(isIn(show))
    .filter((it) =>
      matches(
        search,
        it.full_name,
        it.email,
        it.apartment_number,
        ...it.spots.map((spot) => spot.spot_number),
      ),
    );
  const selection = useSelection(shown.filter(isOpen));
  const takeBack = (rows: readonly Invitation[]) => selection.change(rows, takingBack);
  const invite = (
    <button type="button" class="main-action" onClick={() => updateQuery({ invite: "yes" })}>
      <Icon name="add" />
      {t("people.invite")}
    </button>
  );
  if (invitations.length === 0)
    return <Empty title={t("people.none")} text={t("people.noneText")} actions={invite} />;
  return (
    <div class="stack">
      <div class="actions no-print">
        {invite}
        {invitations.some(isOpen) && (
          <button
            type="button"
            onClick={() => tell(invitations.filter(isOpen).map(({ email }) => email))}
          >
            {t("people.tell")}
          </button>
        )}
      </div>
      <div class="controls no-print">
        <Choice
          label={t("admin.show")}
          value={show}
          options={groups.map((group) => {
            const count = invitations.filter(isIn(group)).length;
            return [group, plain(`${t(titles[group])} ${count}`)] as const;
          })}
          choose={(group) => updateQuery({ show: group })}
        />
        <Search hint={t("accounts.searchHint")} />
      </div>
      <BulkBar
        selection={selection}
        nameOf={nameOf}
        action={t("people.takeBack")}
        act={() => takeBack(selection.chosen)}
      />
      {shown.length === 0 ? (
        <Empty title={t("admin.none")} text={t("admin.noneText")} />
      ) : (
        <ul class="entries">
          {shown.map((invitation) => (
            <Entry
              key={invitation.id}
              row={invitation}
              name={nameOf(invitation)}
              badges={badgesOf(invitation)}
              about={aboutOf(invitation)}
              selection={selection}
              action={
                isOpen(invitation) && {
                  name: t("people.takeBack"),
                  label: t("people.takeBackOne", { name: nameOf(invitation) }),
                  run: () => takeBack([invitation]),
                }
              }
              manage={() => updateQuery({ invitation: invitation.id })}
            />
          ))}
        </ul>
      )}
      <InvitationDialog invitations={invitations} />
    </div>
  );
}

const takingBack = {
  one: ({ id }: Invitation) => remove(`/admin/invitations/${id}`),
  after(rows: readonly Invitation[]) {
    changed(...allInvitations.topics);
    toast(t("people.tookBack", { count: rows.length }));
  },
};

const badgesOf = ({ status, spots }: Invitation) => (
  <>
    {status === "accepted" && <span class="badge good">{t("people.accepted")}</span>}
    {status === "lapsed" && <span class="badge attention">{t("people.lapsed")}</span>}
    {spots
      .filter(({ refused_by }) => refused_by !== undefined)
      .map(({ spot_number, refused_by }) => (
        <span key={spot_number} class="badge attention">
          {refusalOf(spot_number, refused_by)}
        </span>
      ))}
  </>
);

const aboutOf = (invitation: Invitation): readonly string[] => [
  t("account.apartment", { number: invitation.apartment_number }),
  ...(invitation.full_name === null ? [] : [invitation.email]),
  ...(invitation.spots.length > 0
    ? [invitation.spots.map(({ spot_number }) => spot_number).join(", ")]
    : []),
  t("people.invitedOn", { date: formatted("date", invitation.created_at) }),
];
