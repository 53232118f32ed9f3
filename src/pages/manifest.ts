import type { Language } from "../texts/kinds.ts";

/**
 * The data that a browser needs to install the page: https://www.w3.org/TR/appmanifest/
 * @param name of the building, or else of the page
 * @param colour of the building, if it has one
 */
export function manifestOf(
  language: Language,
  { name, colour = "#0b63b0" }: { readonly name: string; readonly colour?: string },
  pathOf: (name: RegExp) => string,
): string {
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
    theme_color: colour,
    icons: [
      icon(/^icon\.\w+\.svg$/, "any"),
      icon(/^small\.\w+\.png$/, "192x192"),
      icon(/^large\.\w+\.png$/, "512x512"),
      icon(/^maskable\.\w+\.png$/, "512x512", "maskable"),
    ],
  });
}
