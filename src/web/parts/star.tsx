import { post, remove } from "../api/client.ts";
import { favoriteSpots } from "../api/lists.ts";
import { useReading } from "../api/reading.ts";
import type { Spot } from "../api/resources.ts";
import { t } from "../messages/translate.ts";
import { Icon } from "./controls.tsx";
import { Acting, ActionButton, Refusal } from "./form.tsx";

/** Makes a spot a favourite of the person, or takes that back. */
export function Star({ spot }: { readonly spot: Spot }) {
  const { value = [] } = useReading(favoriteSpots);
  const favorite = value.find(({ spot_id }) => spot_id === spot.id);
  const toggle = async () => {
    if (favorite) await remove(`/favorite-spots/${favorite.id}`);
    else await post("/favorite-spots", { spot_id: spot.id });
  };
  return (
    <Acting>
      <ActionButton
        class="star"
        aria-pressed={favorite ? "true" : "false"}
        aria-label={t("spots.favorite", { spot: spot.spot_number })}
        act={toggle}
      >
        <Icon name="star" />
      </ActionButton>
      <Refusal />
    </Acting>
  );
}
