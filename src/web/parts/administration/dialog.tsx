import type { Child } from "../../jsx.ts";
import type { MessageKey } from "../../messages/en.ts";
import { type Text, t } from "../../messages/translate.ts";
import { closing, useRoute } from "../../routing.ts";
import { DangerZone } from "../danger-zone.tsx";
import { Dialog } from "../dialog.tsx";
import { TextField } from "../fields.tsx";
import { ActionForm, formValues, useClose } from "../form.tsx";
import { Loading } from "../states.tsx";

interface RowDialogProperties<Row> {
  /** The name in the address that has the id of the row. */
  readonly name: string;
  /** Undefined while they are read. */
  readonly rows: readonly Row[] | undefined;
  readonly title: MessageKey;
  readonly titleOf: (row: Row) => Text;
  readonly children: (row: Row) => Child;
}

/** One row of a list, with its facts and its actions. */
export function RowDialog<Row extends { readonly id: string }>(
  properties: RowDialogProperties<Row>,
) {
  const { name, rows, title, titleOf, children } = properties;
  const id = useRoute().query[name];
  if (!id) return null;
  const row = rows?.find((it) => it.id === id);
  return (
    <Dialog key={id} title={row ? titleOf(row) : t(title)} close={closing(name)}>
      {row ? children(row) : rows ? <p>{t("admin.gone")}</p> : <Loading />}
    </Dialog>
  );
}

interface ReasonFormProperties {
  readonly text: MessageKey;
  readonly button: MessageKey;
  readonly act: (reason: string, typed: Readonly<Record<string, string>>) => Promise<void>;
  /** The fields before the reason. */
  readonly children?: Child;
}

/** A form for what an administrator does to the property of others, and for the reason. */
export function ReasonForm({ text, button, act, children }: ReasonFormProperties) {
  const close = useClose();
  const submit = async (form: HTMLFormElement) => {
    const typed = formValues(form);
    await act(typed.reason ?? "", typed);
    close();
  };
  return (
    <ActionForm act={submit} submit={button} look="danger">
      <p>{t(text)}</p>
      {children}
      <TextField name="reason" label="admin.reason" hint="admin.reasonHint" required />
    </ActionForm>
  );
}

/** The same, folded up under its title. */
export const FoldedReason = ({
  title,
  ...form
}: ReasonFormProperties & { readonly title: MessageKey }) => (
  <DangerZone title={title}>
    <ReasonForm {...form} />
  </DangerZone>
);

interface FactsProperties {
  readonly entries: readonly (readonly [Text, Child | ""])[];
}

/** Names and values, one below the other. Unknown facts are left out. */
export const Facts = ({ entries }: FactsProperties) => (
  <dl class="facts">
    {entries.map(([name, value]) =>
      value ? (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ) : null,
    )}
  </dl>
);
