import {
  publicUrl,
  type Sender,
  type SettingFormat,
  type SmtpServer,
  sender,
  smtpUrl,
} from "./formats.ts";

/** How mails are sent. */
export interface MailConfig {
  readonly server: SmtpServer;
  readonly from: Sender;
  /** The origin of the links in mails. */
  readonly publicUrl: string;
}

type Setting = <T>(name: string, format: SettingFormat<T>, about: string) => T | undefined;

/** Mails are sent only if all three are set. Each one requires the others. */
export function mailSettings(setting: Setting): MailConfig | undefined {
  const server = setting(
    "SMTP_URL",
    smtpUrl,
    "the server that mails are given to; without it there are none. With `smtps`, and for a password, the connection is encrypted, else where the server can",
  );
  const from = setting("MAIL_FROM", sender, "whom mails are from");
  const origin = setting(
    "PUBLIC_URL",
    publicUrl,
    "where people open the page: the links in mails begin with it",
  );
  return server && from && origin ? { server, from, publicUrl: origin } : undefined;
}
