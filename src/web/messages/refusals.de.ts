import type { Message } from "./en.ts";
import type { refusals as english } from "./refusals.en.ts";

/** Warum der Dienst abgelehnt hat, auf Deutsch. */
export const refusals: Readonly<Record<keyof typeof english, Message>> = {
  "refusal.administrator_required": "Das darf nur die Verwaltung.",
  "refusal.approved_account_required": "Ihr Konto ist nicht freigegeben.",
  "refusal.availabilities_claimed_are_not_deleted":
    "Diese Zeit ist reserviert, darum bleibt sie geteilt.",
  "refusal.availabilities_claimed_are_not_updated":
    "Diese Zeit ist reserviert, darum lässt sie sich nicht ändern.",
  "refusal.availabilities_created_by_spot_owner": "Sie können nur Ihre eigenen Stellplätze teilen.",
  "refusal.availabilities_deleted_by_spot_owner":
    "Sie können nur Zeiten Ihrer eigenen Stellplätze zurückziehen.",
  "refusal.availabilities_do_not_overlap":
    "Der Stellplatz ist in einem Teil dieser Zeit schon geteilt.",
  "refusal.availabilities_no_longer_than_allowed":
    "So lange darf ein Stellplatz nicht auf einmal geteilt werden.",
  "refusal.availabilities_of_a_spot": "Diesen Stellplatz gibt es nicht mehr.",
  "refusal.availabilities_offered_within_window":
    "Der Stellplatz ist nicht die ganze Zeit geteilt.",
  "refusal.availabilities_published_by_a_pattern": "Diese wöchentlichen Zeiten gibt es nicht mehr.",
  "refusal.availabilities_start_before_end": "Das Ende muss nach dem Anfang liegen.",
  "refusal.availabilities_start_in_future": "Der Anfang muss in der Zukunft liegen.",
  "refusal.availabilities_times_are_calendar_dates": "Das Jahr muss zwischen 1 und 9999 liegen.",
  "refusal.availabilities_updated_by_spot_owner":
    "Sie können nur Zeiten Ihrer eigenen Stellplätze ändern.",
  "refusal.availabilities_within_horizon": "So weit im Voraus darf nicht geteilt werden.",
  "refusal.building_colour_is_hexadecimal":
    "Das ist keine Farbe: Schreiben Sie # und sechs Ziffern, etwa #1d6f42.",
  "refusal.building_is_one": "Es gibt schon ein Gebäude.",
  "refusal.building_keeps_for_days":
    "Geschehenes und Nachrichten werden 30 Tage bis 100 Jahre aufbewahrt, was aus E-Mails und Webhooks wurde, 7 Tage bis 100 Jahre.",
  "refusal.building_language_is_known": "Wählen Sie Englisch oder Deutsch.",
  "refusal.building_mail_is_of_known_kinds": "Wählen Sie jede Art von E-Mail einmal.",
  "refusal.building_mark_is_short": "Das Zeichen hat einen oder zwei Buchstaben, etwa L5.",
  "refusal.building_minutes_are_in_range":
    "Die Minuten der Kulanz und die eines Angebots sind 1 bis 525600, ein Jahr.",
  "refusal.building_name_is_one_line":
    "Der Name des Gebäudes hat 1 bis 100 Zeichen in einer Zeile.",
  "refusal.building_pattern_days_within_a_year":
    "Wöchentliche Zeiten werden für 1 bis 366 Tage veröffentlicht.",
  "refusal.building_reminds_in_time": "Eine Erinnerung kommt 5 Minuten bis 7 Tage vorher.",
  "refusal.building_time_zone_is_known":
    "Das ist nicht der Name einer Zeitzone, wie Europe/Berlin.",
  "refusal.calendar_feeds_language_is_known": "Wählen Sie Englisch oder Deutsch.",
  "refusal.calendar_feeds_secrets_are_hashed": "Diese Adresse taugt nicht für einen Kalender.",
  "refusal.claims_cancelled_by_administrator":
    "Die Verwaltung kann eine fremde Reservierung nur stornieren.",
  "refusal.claims_close_with_their_times":
    "Die Zeiten einer Reservierung lassen sich nicht ändern, während sie beendet oder storniert wird.",
  "refusal.claims_closed_stay_closed": "Diese Reservierung ist schon beendet oder storniert.",
  "refusal.claims_completed_are_not_deleted": "Eine beendete Reservierung bleibt in der Liste.",
  "refusal.claims_deleted_by_claimer": "Sie können nur Ihre eigenen Reservierungen entfernen.",
  "refusal.claims_described_by_claimer": "Wer parkt, gibt nur an, wer reserviert hat.",
  "refusal.claims_guest_is_one_line": "Der Name des Gastes hat 1 bis 200 Zeichen in einer Zeile.",
  "refusal.claims_kept_after_cutoff":
    "Es ist zu spät, diese Reservierung zu stornieren oder zu verschieben.",
  "refusal.claims_no_longer_than_allowed": "Die Reservierung ist länger, als hier erlaubt ist.",
  "refusal.claims_no_more_than_allowed":
    "Sie haben so viele Reservierungen, wie eine Person haben darf. Erst muss eine enden oder storniert werden.",
  "refusal.claims_no_shorter_than_allowed": "Die Reservierung ist kürzer, als hier erlaubt ist.",
  "refusal.claims_not_by_owner":
    "Das ist Ihr eigener Stellplatz, dafür brauchen Sie keine Reservierung.",
  "refusal.claims_not_in_kept_time": "Der Stellplatz ist zu dieser Zeit nicht mehr geteilt.",
  "refusal.claims_of_an_approved_owner":
    "Das Konto der Person, der der Stellplatz gehört, ist zurzeit nicht freigegeben. Darum lässt er sich nicht reservieren.",
  "refusal.claims_of_an_availability": "Der Stellplatz ist zu dieser Zeit nicht mehr geteilt.",
  "refusal.claims_one_per_availability": "Jemand anderes hat schon reserviert.",
  "refusal.claims_start_before_end": "Das Ende muss nach dem Anfang liegen.",
  "refusal.claims_start_in_future": "Der Anfang muss in der Zukunft liegen.",
  "refusal.claims_status_is_known": "Eine Reservierung lässt sich nur beenden oder stornieren.",
  "refusal.claims_times_are_calendar_dates": "Das Jahr muss zwischen 1 und 9999 liegen.",
  "refusal.claims_updated_by_claimer": "Sie können nur Ihre eigenen Reservierungen ändern.",
  "refusal.claims_vehicle_is_a_plate":
    "Ein Kennzeichen hat 1 bis 16 Zeichen in einer Zeile, und nicht nur Bindestriche.",
  "refusal.claims_wait_for_offers":
    "Bis {until} ist der Stellplatz jemandem vorbehalten, der darauf gewartet hat.",
  "refusal.claims_with_notice": "Die Reservierung beginnt früher, als hier erlaubt ist.",
  "refusal.claims_within_availability": "Der Stellplatz ist nicht die ganze Zeit geteilt.",
  "refusal.claims_within_horizon": "So weit im Voraus darf nicht reserviert werden.",
  "refusal.events_reason_is_one_line": "Der Grund hat 1 bis 300 Zeichen in einer Zeile.",
  "refusal.exceptions_change_1000_windows_at_most":
    "Das ändert mehr als 1000 geteilte Zeiten auf einmal. Wählen Sie einen kürzeren Zeitraum oder einen Stellplatz.",
  "refusal.exceptions_change_5000_windows_a_day_at_most":
    "So haben sich heute schon 5000 geteilte Zeiten geändert. Versuchen Sie es morgen wieder.",
  "refusal.exceptions_created_by_spot_owner": "Das geht nur für Ihre eigenen Stellplätze.",
  "refusal.exceptions_end_in_future": "Das Ende muss in der Zukunft liegen.",
  "refusal.exceptions_fifty_at_most":
    "Sie haben 50 Zeiten, zu denen Sie einen Stellplatz brauchen oder weg sind. Machen Sie erst eine rückgängig.",
  "refusal.exceptions_kind_is_known": "Sagen Sie, ob Sie den Stellplatz brauchen oder weg sind.",
  "refusal.exceptions_last_a_year_at_most": "Das geht für höchstens 366 Tage.",
  "refusal.exceptions_made_by_a_resident": "Ihr Konto ist nicht freigegeben.",
  "refusal.exceptions_of_a_spot": "Diesen Stellplatz gibt es nicht mehr.",
  "refusal.exceptions_start_before_end": "Das Ende muss nach dem Anfang liegen.",
  "refusal.exceptions_times_are_calendar_dates": "Das Jahr muss zwischen 1 und 9999 liegen.",
  "refusal.idempotency_key_in_use": "Das geschieht gerade. Sehen Sie gleich noch einmal nach.",
  "refusal.idempotency_key_reused":
    "Das wurde schon mit etwas anderem gesendet. Versuchen Sie es noch einmal.",
  "refusal.idempotency_keys_few_per_person":
    "Sie haben an einem Tag sehr viel getan. Versuchen Sie es in ein paar Stunden wieder.",
  "refusal.invitations_accepted_stay":
    "Diese Einladung wurde angenommen. Nehmen Sie stattdessen die Freigabe des Kontos zurück.",
  "refusal.invitations_address_is_invited_once": "Diese Adresse ist schon eingeladen.",
  "refusal.invitations_apartment_number_is_one_line":
    "Die Wohnung hat 1 bis 32 Zeichen in einer Zeile.",
  "refusal.invitations_email_is_an_address":
    "Das ist keine E-Mail-Adresse mit höchstens 320 Zeichen.",
  "refusal.invitations_full_name_is_one_line": "Der Name hat 1 bis 200 Zeichen in einer Zeile.",
  "refusal.invitations_spot_is_invited_once":
    "Ein Stellplatz dieser Liste steht schon in einer Einladung.",
  "refusal.invitations_spots_can_be_registered":
    "Höchstens 20 Stellplätze, jeder mit einer Nummer von 1 bis 32 und einem Bereich von 1 bis 100 Zeichen.",
  "refusal.limits_are_in_range":
    "Eine Grenze ist 1 oder mehr: höchstens 100 Jahre im Voraus, ein Jahr für eine Reservierung und 1000 Reservierungen.",
  "refusal.limits_shortest_claim_within_longest":
    "Die kürzeste Reservierung darf nicht länger als die längste sein.",
  "refusal.patterns_change_10000_windows_a_day_at_most":
    "Ihre wöchentlichen Zeiten haben sich heute 10000-mal geändert. Versuchen Sie es morgen wieder.",
  "refusal.patterns_created_by_spot_owner": "Sie können nur Ihre eigenen Stellplätze teilen.",
  "refusal.patterns_days_are_calendar_dates": "Das Jahr muss zwischen 1 und 9999 liegen.",
  "refusal.patterns_first_day_before_last": "Der letzte Tag darf nicht vor dem ersten liegen.",
  "refusal.patterns_no_more_than_200":
    "Sie teilen 200-mal jede Woche, so oft wie eine Person darf.",
  "refusal.patterns_of_a_spot": "Diesen Stellplatz gibt es nicht mehr.",
  "refusal.patterns_times_are_of_a_day": "Die Uhrzeiten müssen zwischen 00:00 und 23:59 liegen.",
  "refusal.patterns_weekdays_fall_within_days":
    "Keiner dieser Wochentage liegt zwischen dem ersten und dem letzten Tag.",
  "refusal.patterns_weekdays_are_known": "Wählen Sie einen oder mehrere Wochentage.",
  "refusal.preferences_language_is_known": "Wählen Sie Englisch oder Deutsch.",
  "refusal.preferences_mail_is_of_known_kinds": "Wählen Sie jede Art von E-Mail einmal.",
  "refusal.preferences_remind_in_time": "Eine Erinnerung kommt 5 Minuten bis 7 Tage vorher.",
  "refusal.profiles_administrators_by_groups":
    "Wer zur Verwaltung gehört, entscheiden die Gruppen Ihres Anmeldedienstes.",
  "refusal.profiles_apartment_number_is_one_line":
    "Die Wohnung hat 1 bis 32 Zeichen in einer Zeile.",
  "refusal.profiles_approved_are_not_rejected":
    "Dieses Konto ist freigegeben. Nehmen Sie die Freigabe zurück, um es abzulehnen.",
  "refusal.profiles_approved_by_groups":
    "Wer freigegeben ist, entscheiden die Gruppen Ihres Anmeldedienstes.",
  "refusal.profiles_describe_oneself": "Sie können nur Ihre eigenen Angaben ändern.",
  "refusal.profiles_email_is_the_users": "Die E-Mail-Adresse ist die, mit der Sie sich anmelden.",
  "refusal.profiles_erased_stay_erased": "Dieses Konto wurde gelöscht.",
  "refusal.profiles_full_name_is_one_line": "Der Name hat 1 bis 200 Zeichen in einer Zeile.",
  "refusal.profiles_keep_an_administrator":
    "Das ist die letzte Person der Verwaltung. Nehmen Sie erst eine andere auf.",
  "refusal.profiles_one_per_user": "Sie sind schon registriert.",
  "refusal.profiles_phone_number_is_dialable":
    "Eine Telefonnummer hat 3 bis 32 Ziffern, Leerzeichen und +().-/",
  "refusal.profiles_rejection_reason_is_one_line":
    "Der Grund hat 1 bis 300 Zeichen in einer Zeile.",
  "refusal.profiles_vehicle_is_a_plate":
    "Ein Kennzeichen hat 1 bis 16 Zeichen in einer Zeile, und nicht nur Bindestriche.",
  "refusal.reports_end_after_they_begin": "Der letzte Tag darf nicht vor dem ersten liegen.",
  "refusal.reports_of_10000_rows_at_most":
    "Das hat mehr als 10000 Zeilen. Wählen Sie einen kürzeren Zeitraum oder einen Bereich.",
  "refusal.reports_of_half_a_year_at_most": "Der Zeitraum kann höchstens 184 Tage lang sein.",
  "refusal.spot_access_notes_are_one_line": "Ein Hinweis hat 1 bis 300 Zeichen in einer Zeile.",
  "refusal.spot_access_of_a_spot": "Diesen Stellplatz gibt es nicht mehr.",
  "refusal.spot_access_written_by_owner":
    "Sie können nur zu Ihren eigenen Stellplätzen Hinweise schreiben.",
  "refusal.spot_reports_by_a_resident": "Ihr Konto ist nicht freigegeben.",
  "refusal.spot_reports_by_who_may_park":
    "Sie können nur ein Auto auf Ihrem eigenen Stellplatz melden, oder auf einem, den Sie gerade reserviert haben.",
  "refusal.spot_reports_five_a_day_at_most":
    "Sie haben in 24 Stunden fünf Autos gemeldet. Wenden Sie sich an die Verwaltung.",
  "refusal.spot_reports_note_is_one_line": "Ein Hinweis hat 1 bis 300 Zeichen in einer Zeile.",
  "refusal.spot_reports_of_a_spot": "Diesen Stellplatz gibt es nicht mehr.",
  "refusal.spot_reports_to_a_resident": "Diese Person gibt es nicht mehr.",
  "refusal.spot_reports_vehicle_is_a_plate":
    "Ein Kennzeichen hat 1 bis 16 Zeichen in einer Zeile, und nicht nur Bindestriche.",
  "refusal.spots_building_section_is_one_line": "Der Bereich hat 1 bis 100 Zeichen in einer Zeile.",
  "refusal.spots_deleted_by_owner": "Sie können nur Ihre eigenen Stellplätze entfernen.",
  "refusal.spots_notes_are_one_line": "Ein Hinweis hat 1 bis 300 Zeichen in einer Zeile.",
  "refusal.spots_spot_number_is_one_line":
    "Die Nummer eines Stellplatzes hat 1 bis 32 Zeichen in einer Zeile.",
  "refusal.spots_spot_number_is_unique": "Einen Stellplatz mit dieser Nummer gibt es schon.",
  "refusal.spots_updated_by_owner": "Sie können nur Ihre eigenen Stellplätze ändern.",
  "refusal.spots_with_active_claims_stay":
    "Dieser Stellplatz ist reserviert. Er lässt sich entfernen, sobald diese Reservierungen vorbei sind.",
  "refusal.users_email_is_an_address":
    "Ihre Anmeldung hat keine E-Mail-Adresse, die sich verwenden lässt.",
  "refusal.users_email_is_given":
    "Ihre Anmeldung hat keine E-Mail-Adresse. Wer den Anmeldedienst betreibt, kann sie ergänzen.",
  "refusal.webhooks_format_is_known": "Wählen Sie Ereignisse oder Text als Format.",
  "refusal.webhooks_twenty_at_most": "Es gibt zwanzig Webhooks, mehr können es nicht sein.",
  "refusal.webhooks_types_are_known":
    "Wählen Sie eine oder mehrere Arten von Ereignissen, jede einmal.",
  "refusal.webhooks_url_is_https":
    "Die Adresse muss mit https:// beginnen und darf weder Namen noch Passwort enthalten.",
  "refusal.webhooks_url_is_one_line": "Die Adresse hat 1 bis 2000 Zeichen in einer Zeile.",
  "refusal.wishes_building_section_is_one_line":
    "Der Bereich hat 1 bis 100 Zeichen in einer Zeile.",
  "refusal.wishes_of_a_section_or_a_spot":
    "Sie können auf einen Bereich oder auf einen Stellplatz warten, nicht auf beides.",
  "refusal.wishes_of_a_spot": "Diesen Stellplatz gibt es nicht mehr.",
  "refusal.wishes_start_before_end": "Das Ende muss nach dem Anfang liegen.",
  "refusal.wishes_start_in_future": "Der Anfang muss in der Zukunft liegen.",
  "refusal.wishes_ten_open_at_most":
    "Sie warten schon auf zehn Zeiten. Warten Sie erst auf eine davon nicht mehr.",
  "refusal.wishes_times_are_calendar_dates": "Das Jahr muss zwischen 1 und 9999 liegen.",

  "refusal.forbidden": "Das dürfen Sie nicht.",
  "refusal.not_found": "Das gibt es nicht mehr.",
  "refusal.conflict": "Das passt nicht zu dem, was schon da ist.",
  "refusal.precondition_failed": "Es hat sich inzwischen geändert. Sehen Sie noch einmal nach.",
  "refusal.invalid_data": "Etwas von dem, was Sie eingegeben haben, lässt sich nicht verwenden.",
  "refusal.validation_failed":
    "Etwas von dem, was Sie eingegeben haben, lässt sich nicht verwenden.",
  "refusal.body_too_large": "Das ist zu viel auf einmal. Versuchen Sie es in kleineren Teilen.",
  "refusal.request_timeout": "Das Senden hat zu lange gedauert. Versuchen Sie es noch einmal.",
  "refusal.too_many_requests": "Sie haben in kurzer Zeit sehr viel getan.",
  "refusal.service_unavailable":
    "Der Dienst hat zu viel zu tun. Versuchen Sie es gleich noch einmal.",

  "typed.missing": "{field} fehlt.",
  "typed.longest": "{field}: höchstens {count} Zeichen.",
  "typed.shortest": "{field}: mindestens {count} Zeichen.",
  "typed.least": "{field}: mindestens {count}.",
  "typed.most": "{field}: höchstens {count}.",
  "typed.wrong": "{field}: das lässt sich nicht verwenden.",
};
