import { de } from "../web/messages/de.ts";
import { en } from "../web/messages/en.ts";

const messages = { en, de };

/** The languages of the page. */
export type Language = keyof typeof messages;

/**
 * The data that a browser needs to install the page: https://www.w3.org/TR/appmanifest/
 * @param building its name and its colour, if it has them
 */
export function manifestOf(
  language: Language,
  building: { readonly name?: string; readonly colour?: string },
  pathOf: (name: RegExp) => string,
): string {
  const name = building.name || messages[language]["app.name"];
  const icon = (file: RegExp, sizes: string, purpose = "any") => ({
    src: pathOf(file),
    sizes,
    type: sizes === "any" ? "image/svg+xml" : "image/png",
    purpose,
  });
  return JSON.stringify({
    id: "/",
    start_url: "/",
    scope: "/",
    name,
    short_name: name,
    lang: language,
    display: "standalone",
    background_color: "#f3f5f8",
    theme_color: building.colour ?? "#0b63b0",
    icons: [
      icon(/^icon\.\w+\.svg$/, "any"),
      icon(/^small\.\w+\.png$/, "192x192"),
      icon(/^large\.\w+\.png$/, "512x512"),
      icon(/^maskable\.\w+\.png$/, "512x512", "maskable"),
    ],
  });
}
