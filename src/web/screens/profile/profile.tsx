import { useEffect } from "preact/hooks";
import { get, post } from "../../api/client.ts";
import { answer } from "../../api/lists.ts";
import {
  keepProfile,
  type ProfileAnswer,
  person,
  profileAnswer,
  readPerson,
} from "../../api/person.ts";
import { useReading } from "../../api/reading.ts";
import { type Invitation, isErased, type Profile as ProfileOfApi } from "../../api/resources.ts";
import type { Child } from "../../jsx.ts";
import { language, plain, t } from "../../messages/translate.ts";
import { useChange } from "../../parts/change.ts";
import { download } from "../../parts/download.ts";
import { withNull, withoutEmpty } from "../../parts/empty.ts";
import { Check, PlateField, TextField } from "../../parts/fields.tsx";
import { ActionButton, ActionForm, Actions, formValues } from "../../parts/form.tsx";
import { lazy } from "../../parts/lazy.tsx";
import { Loading, whenRead } from "../../parts/states.tsx";
import { toast } from "../../parts/toasts.tsx";
import { settings } from "../../settings.ts";
import { useStore } from "../../store.ts";
import { touchedOf } from "../../unsaved.ts";
import { Calendar } from "./calendar.tsx";
import { Mail } from "./mail.tsx";
import { preferencesOfApi } from "./preferences.ts";
import { Push } from "./push.tsx";

const Passkeys = lazy(async () => (await import("./passkeys.tsx")).Passkeys);

/** How often the page asks for the approval: GET /profile is allowed ten times a minute. */
const ASK_EVERY = 30_000;

const SHARES_PHONE = "shares_phone_number";

/** Registration, waiting for approval, and changes of the profile. */
export function Profile() {
  const { profile } = useStore(person) ?? {};
  if (profile && isErased(profile))
    return (
      <div class="stack narrow">
        <Notice name="erased" />
      </div>
    );
  return (
    <div class={profile ? "stack" : "stack narrow"}>
      {profile === undefined && <p>{t("profile.register.text")}</p>}
      {profile?.is_approved === false && <Waiting profile={profile} />}
      {profile === undefined ? (
        <Registration />
      ) : (
        <div class="groups">
          <div class="stack">
            <Form profile={profile} />
            {profile.is_approved && <Calendar />}
            {settings.signIn === "mail" && <Passkeys />}
            <OwnData />
          </div>
          <Messages />
        </div>
      )}
    </div>
  );
}

/** The messages that the person gets, on this device and by mail. */
const Messages = () =>
  whenRead(useReading(preferencesOfApi), ({ preferences }) => (
    <div class="stack">
      <Push preferences={preferences} />
      <Mail preferences={preferences} />
    </div>
  ));

/** The form contains what an administrator wrote in an invitation. */
function Registration() {
  const { value, error } = useReading({
    ...answer<{ readonly invitation: Invited | null }>("/profile/invitation", []),
    lifetime: Number.POSITIVE_INFINITY,
  });
  if (value === undefined && error === undefined) return <Loading />;
  const invitation = value?.invitation;
  const spots = invitation?.spots.map((it) => `${it.spot_number} (${it.building_section})`) ?? [];
  return (
    <>
      {spots.length > 0 && <p>{t("profile.register.spots", { spots: spots.join(", ") })}</p>}
      <Form profile={undefined} invited={invitation} />
    </>
  );
}

/** The reason why the person cannot use the building yet, and the next step. */
function Waiting({ profile }: { readonly profile: ProfileOfApi }) {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") readPerson().catch(() => {});
    }, ASK_EVERY);
    return () => clearInterval(timer);
  }, []);
  const { is_suspended, rejection_reason: reason } = profile;
  if (reason !== undefined)
    return (
      <Notice name="rejected">
        <p>{t("claims.reason", { reason })}</p>
      </Notice>
    );
  if (is_suspended === true) return <Notice name="suspended" />;
  return (
    <Notice name="waiting">
      <ol class="steps">
        <li>{t("profile.waiting.registered")}</li>
        <li aria-current="step">{t("profile.waiting.checked")}</li>
        <li>{t("profile.waiting.ready")}</li>
      </ol>
    </Notice>
  );
}

interface NoticeProperties {
  readonly name: "waiting" | "suspended" | "rejected" | "erased";
  readonly children?: Child;
}

const Notice = ({ name, children }: NoticeProperties) => (
  <div class="card stack">
    <h2>{t(`profile.${name}.title`)}</h2>
    <p>{t(`profile.${name}.text`)}</p>
    {children}
  </div>
);

type Invited = Pick<Invitation, "full_name" | "apartment_number" | "spots">;

interface FormProperties {
  readonly profile: ProfileOfApi | undefined;
  readonly invited?: Invited | null | undefined;
}

function Form({ profile, invited }: FormProperties) {
  const known = profile ?? invited;
  // The form does not read the profile again, because GET /profile is allowed ten times a minute.
  const change = useChange<ProfileAnswer>("/profile", { isNew: true, known: profileAnswer() });
  const isNew = profile === undefined;
  const save = async (form: HTMLFormElement) => {
    const { [SHARES_PHONE]: shares, ...typed } = formValues(form);
    const all = { ...withNull(typed), [SHARES_PHONE]: shares !== undefined };
    const saved = await (isNew
      ? post<ProfileAnswer>("/profile", withoutEmpty(typed))
      : change(touchedOf(form, all)));
    keepProfile(saved.profile);
    toast(t(isNew ? "profile.registered" : "profile.saved"));
  };
  return (
    <ActionForm class="card stack" act={save} submit={isNew ? "profile.register" : "app.save"}>
      <h2>{t("profile.yours")}</h2>
      {profile && (
        <p class="quiet">
          {plain(profile.email)}
          {settings.signIn === "mail" && (
            <>
              {" "}
              <a href={`/identity/address?ui_locales=${language}`}>{t("profile.changeAddress")}</a>
              {" · "}
              <a href={`/identity/elsewhere?ui_locales=${language}`}>
                {t("profile.signOutElsewhere")}
              </a>
            </>
          )}
        </p>
      )}
      <TextField
        name="apartment_number"
        label="profile.apartment"
        required
        value={known?.apartment_number}
      />
      <TextField
        name="full_name"
        label="profile.name"
        optional={isNew}
        autocomplete="name"
        value={known?.full_name}
      />
      <TextField
        name="phone_number"
        label="profile.phone"
        optional={isNew}
        hint="profile.phoneHint"
        type="tel"
        autocomplete="tel"
        value={profile?.phone_number}
      />
      <PlateField
        name="vehicle"
        label="profile.vehicle"
        optional={isNew}
        hint="profile.vehicleHint"
        value={profile?.vehicle}
      />
      {profile && (
        <Check name={SHARES_PHONE} checked={profile.shares_phone_number === true}>
          {t("profile.sharesPhone")}
        </Check>
      )}
    </ActionForm>
  );
}

function OwnData() {
  const save = async () => {
    const all = await get<object>("/profile/export");
    download("parking-data.json", "application/json", JSON.stringify(all, null, 2));
  };
  return (
    <section class="card stack">
      <h2>{t("profile.data")}</h2>
      <p>{t("profile.dataText")}</p>
      <Actions>
        <ActionButton act={save} text="profile.download" />
      </Actions>
    </section>
  );
}
