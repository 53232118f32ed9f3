/** What the service says in the page's index. */
export interface Settings {
  readonly basePath: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: string;
  readonly audience?: string;
  readonly resource?: string;
}

const content = document.querySelector<HTMLMetaElement>('meta[name="settings"]')?.content;

export const settings: Settings = JSON.parse(content ?? "{}");
