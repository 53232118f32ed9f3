import { useState } from "preact/hooks";
import { t } from "../../messages/translate.ts";
import { Field } from "../../parts/form.tsx";
import type { List } from "./columns.ts";
import { readList } from "./read-list.ts";
import { textOfFile } from "./text-of-file.ts";

/** The source of the list: pasted, chosen or dropped. */
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
      class="form"
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
        label={t("people.list")}
        hint={t("people.listHint")}
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
        label={t("people.file")}
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
