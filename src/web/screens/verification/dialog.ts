import { put, remove } from "../../api/client.ts";
import { changed } from "../../api/live.ts";
import type { Profile, Spot } from "../../api/resources.ts";
import { elements, part, plain } from "../../elements.ts";
import { t } from "../../messages/translate.ts";
import { Dialog } from "../../parts/dialog.ts";
import { refusal, useAction } from "../../parts/form.ts";
import { toast } from "../../parts/toasts.ts";
import { look, usePlace } from "../../routing.ts";
import { facts } from "../administration/facts.ts";
import { describe } from "../administration/people.ts";
import { ReasonForm } from "../administration/reason-form.ts";

const { button, details, div, p, summary } = elements;

const close = () => look({ spot: undefined });

interface SpotDialogProperties {
  readonly spots: readonly Spot[];
  readonly people: ReadonlyMap<string, Profile>;
}

/** One spot: whose it is, whether it is verified, and removing it. */
export function SpotDialog({ spots, people }: SpotDialogProperties) {
  const { spot: id } = usePlace().query;
  if (!id) return null;
  const spot = spots.find((one) => one.id === id);
  return part(Dialog, {
    key: id,
    title: spot === undefined ? t("screen.verification") : plain(spot.spot_number),
    close,
    content: spot === undefined ? p({}, t("admin.gone")) : part(Content, { spot, people }),
  });
}

interface ContentProperties {
  readonly spot: Spot;
  readonly people: ReadonlyMap<string, Profile>;
}

function Content({ spot, people }: ContentProperties) {
  const owner = people.get(spot.owner_id);
  return div(
    { class: "stack" },
    facts([
      [t("board.section"), plain(spot.building_section)],
      [t("verification.owner"), plain(describe(people, spot.owner_id))],
      [t("accounts.email"), owner && plain(owner.email)],
      [t("profile.phone"), owner?.phone_number && plain(owner.phone_number)],
    ]),
    part(Verify, { spot }),
    details(
      { class: "danger-zone" },
      summary({}, t("verification.remove")),
      part(ReasonForm, {
        text: t("verification.removeText"),
        button: t("verification.removeNow"),
        act: async (reason) => {
          await remove(`/admin/parking-spots/${spot.id}`, { reason });
          changed("spots", "availabilities");
          toast(t("verification.removed", { spot: spot.spot_number }));
          close();
        },
      }),
    ),
  );
}

function Verify({ spot }: { readonly spot: Spot }) {
  const action = useAction();
  const is_verified = !spot.is_verified;
  const save = async () => {
    await put(`/admin/parking-spots/${spot.id}`, { is_verified });
    changed("spots");
    const taken = t("verification.takenBack", { spot: spot.spot_number });
    toast(is_verified ? t("verification.done", { count: 1 }) : taken);
    close();
  };
  return div(
    { class: "stack" },
    refusal(action),
    div(
      { class: "actions" },
      button(
        {
          type: "button",
          class: is_verified ? "main-action" : undefined,
          disabled: action.busy,
          onClick: () => action.run(save),
        },
        t(is_verified ? "verification.verify" : "verification.takeBack"),
      ),
    ),
  );
}
