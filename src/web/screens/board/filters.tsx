import type { Spot } from "../../api/resources.ts";
import { plain, t } from "../../messages/translate.ts";
import { Choice } from "../../parts/choice.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icons.tsx";
import { Sections } from "../../parts/sections.tsx";
import { closing } from "../../routing.ts";
import { choose, spans, type View } from "./view.ts";

interface FiltersProperties {
  readonly view: View;
  readonly spots: readonly Spot[];
}

/** One button for the filters, which people seldom use. It shows the number of active ones. */
export function Filters({ view, spots }: FiltersProperties) {
  const close = closing("filters");
  return (
    <>
      <button type="button" class="filters-button" onClick={choose.openFilters}>
        <Icon name="filters" />
        <span class="filters-name">{t("board.filters")}</span>
        {view.set > 0 && (
          <span class="count">
            <span aria-hidden="true">{plain(String(view.set))}</span>
            <span class="unseen">{t("board.filtersSet", { count: view.set })}</span>
          </span>
        )}
      </button>
      {view.isFiltering && (
        <Dialog title={t("board.filters")} close={close}>
          <Sheet view={view} spots={spots} close={close} />
        </Dialog>
      )}
    </>
  );
}

function Sheet({ view, spots, close }: FiltersProperties & { readonly close: () => void }) {
  return (
    <div class="form filters">
      <label class="check">
        <input
          type="checkbox"
          checked={view.onlyFree}
          onChange={(event) => choose.onlyFree(event.currentTarget.checked)}
        />
        {t("board.onlyFree")}
      </label>
      <Sections spots={spots} section={view.section} />
      <Choice
        label={t("board.days")}
        value={view.days}
        options={spans.map((days) => [days, t("board.span", { count: days })] as const)}
        choose={choose.days}
      />
      <Choice
        label={t("board.view")}
        value={view.asTable}
        options={[
          [false, t("board.asBoard")],
          [true, t("board.asTable")],
        ]}
        choose={choose.asTable}
      />
      <label class="day-field">
        {t("board.firstDay")}
        <input
          type="date"
          value={view.date}
          onChange={(event) => choose.date(event.currentTarget.value || undefined)}
        />
      </label>
      <div class="actions">
        <button type="button" class="main-action" onClick={close}>
          {t("board.show")}
        </button>
        <button type="button" disabled={view.set === 0} onClick={choose.none}>
          {t("board.noFilters")}
        </button>
      </div>
    </div>
  );
}
