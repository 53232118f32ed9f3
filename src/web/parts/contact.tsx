import { useState } from "preact/hooks";
import { contactOf } from "../api/own-claims.ts";
import { useReading } from "../api/reading.ts";
import type { Contact as ContactOfApi } from "../api/resources.ts";
import { plain, t } from "../messages/translate.ts";
import { Button } from "./controls.tsx";
import { whenRead } from "./states.tsx";

interface ContactProperties {
  readonly claimId: string;
  readonly name: "contact.owner" | "contact.claimer";
}

/**
 * The other person of a claim and, for the claimer, the way in. It is read only when the person
 * asks for it, because each claim needs a request.
 */
export function Contact({ claimId, name }: ContactProperties) {
  const [isOpen, open] = useState(false);
  if (isOpen) return <ContactDetails claimId={claimId} />;
  return <Button class="contact-button" onClick={() => open(true)} text={name} />;
}

export function ContactDetails({ claimId }: Pick<ContactProperties, "claimId">) {
  const reading = useReading(contactOf(claimId));
  return <div role="status">{whenRead(reading, ({ contact }) => known(contact))}</div>;
}

const known = ({ access_notes, ...contact }: ContactOfApi) => (
  <>
    <p class="contact">
      <Person {...contact} />
    </p>
    {access_notes !== undefined && <p>{t("contact.access", { notes: access_notes })}</p>}
  </>
);

export const Phone = ({ number }: { readonly number: string }) => (
  <a href={`tel:${number.replace(/[^\d+]/g, "")}`}>{plain(number)}</a>
);

/** Such as `Clara, Apartment 3B +49 30 1234567`. */
export const Person = ({ full_name, apartment_number, phone_number }: ContactOfApi) => (
  <>
    {full_name !== null && <span>{plain(`${full_name}, `)}</span>}
    <span>{t("account.apartment", { number: apartment_number })}</span>
    {phone_number !== null && <Phone number={phone_number} />}
  </>
);
