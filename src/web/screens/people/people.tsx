import { useState } from "preact/hooks";
import { addresses, addresses as screens } from "../../../addresses.ts";
import { useBuilding } from "../../api/building.ts";
import { post, remove } from "../../api/client.ts";
import { allInvitations, allProfiles, allSpots } from "../../api/lists.ts";
import { together, useReading } from "../../api/reading.ts";
import type { Invitation } from "../../api/resources.ts";
import { plain, type Text, t } from "../../messages/translate.ts";
import { Facts, RowDialog } from "../../parts/administration/dialog.tsx";
import { type Group, type Kind, List } from "../../parts/administration/list.tsx";
import { describePerson, usePeople } from "../../parts/administration/people.ts";
import { AddButton, Button, Link } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/fields.tsx";
import { ActionButton, Actions, useClose } from "../../parts/form.tsx";
import { Empty, whenRead } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { hrefOf, updateQuery, useRoute } from "../../routing.ts";
import { formatted } from "../../time/format.ts";
import { Import } from "./import.tsx";
import { invitationOf } from "./plan.ts";

export function People() {
  const { query } = useRoute();
  const invitations = useReading(allInvitations);
  const known = together({
    profiles: useReading(allProfiles),
    spots: useReading(allSpots),
  });
  const [sent, setSent] = useState<readonly string[]>();
  return whenRead(invitations, (all) => (
    <div class="stack">
      <p class="quiet">{t("people.intro")}</p>
      {query.invite === undefined ? (
        <Invitations invitations={all} tell={setSent} />
      ) : (
        whenRead(known, (it) => (
          <Import
            known={it}
            done={(addresses) => {
              setSent(addresses);
              updateQuery({ invite: undefined });
            }}
          />
        ))
      )}
      {sent !== undefined && <Letter addresses={sent} close={() => setSent(undefined)} />}
    </div>
  ));
}

interface LetterProperties {
  readonly addresses: readonly string[];
  readonly close: () => void;
}

/** If the service sends no mail, the administrator does. */
function Letter({ addresses, close }: LetterProperties) {
  const { name } = useBuilding();
  const link = location.origin + screens.now;
  const text = t("people.letter", { building: name || t("app.name"), link });
  return (
    <Dialog title={t("people.tell")} close={close}>
      <p>{t("people.tellText")}</p>
      <Field
        name="letter"
        label="people.letterLabel"
        control={(it) => <textarea {...it} rows={9} readOnly value={text} />}
      />
      <div class="actions">
        <Button class="main-action" onClick={() => copy(text)} text="people.copyText" />
        {addresses.length > 0 && (
          <Button onClick={() => copy(addresses.join(", "))}>
            {t("people.copyAddresses", { count: addresses.length })}
          </Button>
        )}
      </div>
      <details>
        <summary>{t("people.addresses")}</summary>
        <p class="small">{plain(addresses.join(", "))}</p>
      </details>
    </Dialog>
  );
}

/** If the browser does not allow copying, the person can select the text. */
const copy = (text: string): Promise<void> =>
  navigator.clipboard.writeText(text).then(
    () => toast(t("claims.copied")),
    () => {},
  );

const nameOf = ({ full_name, email }: Invitation): string => full_name ?? email;

/** The reason why a spot was not registered. The answer has only the name of the rule. */
const refusalOf = (spot: string, rule?: string): Text =>
  t(rule === "spots_spot_number_is_unique" ? "people.taken" : "people.refused", { spot });

const isIn = (group: Invitation["status"]) => (it: Invitation) => it.status === group;
const isOpen = isIn("open");

const groups: readonly Group<Invitation>[] = [
  { name: "", title: "admin.all", has: () => true },
  { name: "open", title: "people.open", has: isOpen },
  { name: "accepted", title: "people.accepted", has: isIn("accepted") },
  { name: "lapsed", title: "people.lapsed", has: isIn("lapsed") },
];

const takingBack = {
  one: ({ id }: Invitation) => remove(`/admin/invitations/${id}`),
  after(rows: readonly Invitation[]) {
    toast(t("people.tookBack", { count: rows.length }));
  },
};

const invitationsOfBuilding: Kind<Invitation> = {
  nameOf,
  badges: ({ status, spots }) => (
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
  ),
  about: ({ apartment_number, full_name, email, spots, created_at }) => [
    t("account.apartment", { number: apartment_number }),
    ...(full_name === null ? [] : [email]),
    ...(spots.length > 0 ? [spots.map(({ spot_number }) => spot_number).join(", ")] : []),
    t("people.invitedOn", { date: formatted("date", created_at) }),
  ],
  waits: isOpen,
  action: { name: "people.takeBack", label: "people.takeBackOne", run: takingBack },
  manage: ({ id }) => updateQuery({ invitation: id }),
};

interface InvitationsProperties {
  readonly invitations: readonly Invitation[];
  readonly tell: (addresses: readonly string[]) => void;
}

export function Invitations({ invitations, tell }: InvitationsProperties) {
  const invite = <AddButton opens="invite" text="people.invite" class="main-action" />;
  if (invitations.length === 0)
    return <Empty title="people.none" text="people.noneText" actions={invite} />;
  const open = invitations.filter(isOpen).map(({ email }) => email);
  return (
    <div class="stack">
      <div class="actions no-print">
        {invite}
        {open.length > 0 && <Button onClick={() => tell(open)} text="people.tell" />}
      </div>
      <List
        kind={invitationsOfBuilding}
        groups={groups}
        rows={invitations}
        hint="accounts.searchHint"
        textsOf={({ full_name, email, apartment_number, spots }) => {
          return [full_name, email, apartment_number, ...spots.map((it) => it.spot_number)];
        }}
      />
      <RowDialog
        name="invitation"
        rows={invitations}
        title="screen.people"
        titleOf={(invitation) => plain(nameOf(invitation))}
      >
        {(invitation) => <Details invitation={invitation} />}
      </RowDialog>
    </div>
  );
}

function Details({ invitation }: { readonly invitation: Invitation }) {
  const close = useClose();
  const { id, email, full_name, apartment_number, spots, status, profile_id } = invitation;
  const people = usePeople();
  const inviteAgain = async () => {
    const again = { email, full_name: full_name ?? "", apartment_number, spots };
    await post("/admin/invitations", { invitations: [invitationOf(again)] });
    await remove(`/admin/invitations/${id}`);
    toast(t("people.done", { count: 1 }));
    close();
  };
  const listed = spots.map(({ spot_number, building_section, refused_by }) => (
    <li key={spot_number}>
      {refused_by === undefined
        ? plain(`${spot_number} (${building_section})`)
        : refusalOf(spot_number, refused_by)}
    </li>
  ));
  return (
    <div class="stack">
      <Facts
        entries={[
          [t("people.email"), plain(email)],
          [t("people.apartment_number"), plain(apartment_number)],
          [t("nav.spots"), listed.length > 0 && <ul>{listed}</ul>],
          [t("people.invitedBy"), plain(describePerson(people, invitation.inviter_id))],
          [t("accounts.registered"), status === "accepted" && t("people.accepted")],
        ]}
      />
      <p class="quiet small">
        {t("people.invitedOn", { date: formatted("date", invitation.created_at) })}
      </p>
      {status === "lapsed" && <p>{t("people.lapsedText")}</p>}
      <Actions>
        {status === "lapsed" && (
          <ActionButton act={inviteAgain} class="main-action" text="people.again" />
        )}
        {profile_id !== null && (
          <Link href={hrefOf(addresses.accounts, { account: profile_id })} text="people.account" />
        )}
      </Actions>
    </div>
  );
}
