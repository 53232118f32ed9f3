import { useState } from "preact/hooks";
import { plain, t } from "../../messages/translate.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, SelectField, TextField } from "../../parts/fields.tsx";
import { ActionForm, formValues } from "../../parts/form.tsx";
import { addressIn, type List, meanings, readList, textOfFile } from "./columns.ts";
import type { Planned } from "./plan.ts";

export function SourceFields({ read }: { readonly read: (list: List) => void }) {
  const [text, setText] = useState("");
  const take = async (next: string) => {
    setText(next);
    read(await readList(next));
  };
  const takeFile = async (file: File | undefined) => {
    if (file !== undefined) await take(textOfFile(await file.arrayBuffer()));
  };
  return (
    <div
      class="stack"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        const [file] = event.dataTransfer?.files ?? [];
        if (file === undefined) return; // dropped text goes into the field
        event.preventDefault();
        takeFile(file);
      }}
    >
      <Field
        name="list"
        label="people.list"
        hint="people.listHint"
        control={(it) => (
          <textarea
            {...it}
            rows={6}
            wrap="off"
            spellcheck={false}
            value={text}
            onInput={(event) => take(event.currentTarget.value)}
          />
        )}
      />
      <Field
        name="file"
        label="people.file"
        control={(it) => (
          <input
            {...it}
            type="file"
            accept=".csv,.txt,.tsv,text/csv,text/plain"
            onChange={(event) => takeFile(event.currentTarget.files?.[0])}
          />
        )}
      />
    </div>
  );
}

interface ColumnFieldsProperties {
  readonly list: List;
  readonly change: (list: List) => void;
}

/** The meaning of each column. The page has guessed it, and the person can correct it. */
export const ColumnFields = ({ list, change }: ColumnFieldsProperties) => (
  <fieldset>
    <legend>{t("people.columns")}</legend>
    <div class="fields">
      {list.columns.map((column, index) => (
        <SelectField
          key={index}
          name={`column-${index}`}
          label="people.column"
          title={plain(column.title || t("people.column", { number: index + 1 }))}
          value={column.meaning ?? ""}
          change={(chosen) => {
            const meaning = meanings.find((one) => one === chosen);
            change({ ...list, columns: list.columns.with(index, { ...column, meaning }) });
          }}
          options={[
            ["", t("people.leaveOutColumn")],
            ...meanings.map((meaning) => [meaning, t(`people.${meaning}`)] as const),
          ]}
        />
      ))}
    </div>
  </fieldset>
);

interface EntryDialogProperties {
  readonly planned: Planned;
  readonly save: (planned: Planned) => void;
  readonly close: () => void;
}

export function EntryDialog({ planned, save, close }: EntryDialogProperties) {
  const { lines } = planned;
  const correct = async (form: HTMLFormElement) => {
    const { email = "", full_name = "", apartment_number = "", spots = "" } = formValues(form);
    save({
      lines,
      email: addressIn(email),
      full_name,
      apartment_number,
      spots: spotsIn(spots),
      differs: false,
    });
    close();
  };
  return (
    <Dialog title={t("people.editTitle", { rows: lines.join(", ") })} close={close}>
      <ActionForm act={correct} submit="app.save" cancel>
        {(["email", "full_name", "apartment_number"] as const).map((name) => (
          <TextField key={name} name={name} label={`people.${name}`} value={planned[name]} />
        ))}
        <Field
          name="spots"
          label="nav.spots"
          hint="people.spotsHint"
          control={(it) => <textarea {...it} rows={3} defaultValue={plain(linesOf(planned))} />}
        />
      </ActionForm>
    </Dialog>
  );
}

const linesOf = ({ spots }: Planned): string =>
  spots.map((it) => `${it.spot_number}, ${it.building_section}`).join("\n");

const spotsIn = (text: string): Planned["spots"] =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [number = "", ...section] = line.split(",");
      return { spot_number: number.trim(), building_section: section.join(",").trim() };
    });
