import { addresses } from "../../../addresses.ts";
import { allInvitations } from "../../api/administration.ts";
import { post, remove } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import type { Invitation } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { Facts } from "../../parts/administration/dialog-content.tsx";
import { describePerson, usePeople } from "../../parts/administration/people.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Refusal, useAction } from "../../parts/form.tsx";
import { Link } from "../../parts/link.tsx";
import { toast } from "../../parts/toasts.tsx";
import { closing, hrefOf, useRoute } from "../../routing.ts";
import { formatted } from "../../time/format.ts";
import { invitationOf } from "./plan.ts";
import { nameOf, refusalOf } from "./words.ts";

/** One invitation, with its details and its outcome. */
export function InvitationDialog({ invitations }: { readonly invitations: readonly Invitation[] }) {
  const { invitation: id } = useRoute().query;
  if (!id) return null;
  const invitation = invitations.find((it) => it.id === id);
  const title = invitation === undefined ? t("screen.people") : plain(nameOf(invitation));
  return (
    <Dialog key={id} title={title} close={closing("invitation")}>
      {invitation === undefined ? <p>{t("admin.gone")}</p> : <Details {...invitation} />}
    </Dialog>
  );
}

function Details(invitation: Invitation) {
  const { id, email, full_name, apartment_number, spots, status, profile_id } = invitation;
  const people = usePeople();
  const action = useAction();
  const close = closing("invitation");
  const inviteAgain = () =>
    action.run(async () => {
      const again = { email, full_name: full_name ?? "", apartment_number, spots };
      await post("/admin/invitations", { invitations: [invitationOf(again)] });
      await remove(`/admin/invitations/${id}`);
      changed(...allInvitations.topics);
      toast(t("people.done", { count: 1 }));
      close();
    });
  return (
    <div class="stack">
      <Facts
        entries={[
          [t("people.email"), plain(email)],
          [t("people.apartment_number"), plain(apartment_number)],
          [
            t("people.spots"),
            spots.length > 0 && (
              <ul>
                {spots.map(({ spot_number, building_section, refused_by }) => (
                  <li key={spot_number}>
                    {refused_by === undefined
                      ? plain(`${spot_number} (${building_section})`)
                      : refusalOf(spot_number, refused_by)}
                  </li>
                ))}
              </ul>
            ),
          ],
          [t("people.invitedBy"), plain(describePerson(people, invitation.inviter_id))],
          [t("accounts.registered"), status === "accepted" && t("people.accepted")],
        ]}
      />
      <p class="quiet small">
        {t("people.invitedOn", { date: formatted("date", invitation.created_at) })}
      </p>
      {status === "lapsed" && <p>{t("people.lapsedText")}</p>}
      <Refusal action={action} />
      <div class="actions">
        {status === "lapsed" && (
          <button
            type="button"
            class="main-action"
            aria-disabled={action.busy}
            onClick={inviteAgain}
          >
            {t("people.again")}
          </button>
        )}
        {profile_id !== null && (
          <Link href={hrefOf(addresses.accounts, { account: profile_id })}>
            {t("people.account")}
          </Link>
        )}
      </div>
    </div>
  );
}
