import ICAL from "ical.js";

/** What another's parser reads of a calendar. */
export function eventsIn(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text));
  return calendar.getAllSubcomponents("vevent").map((component) => {
    const textOf = (name: string): string =>
      String(component.getFirstPropertyValue(name) ?? "absent");
    const timeOf = (name: string): string => {
      const time = component.getFirstPropertyValue(name);
      if (!(time instanceof ICAL.Time)) return "absent";
      return time.zone === ICAL.Timezone.utcTimezone ? time.toJSDate().toISOString() : "not UTC";
    };
    return {
      uid: textOf("uid"),
      start: timeOf("dtstart"),
      end: timeOf("dtend"),
      stamp: timeOf("dtstamp"),
      sequence: Number(textOf("sequence")),
      status: textOf("status"),
      summary: textOf("summary"),
      location: textOf("location"),
      description: textOf("description"),
      transparency: textOf("transp"),
    };
  });
}

/** A property of the calendar itself. */
export const propertyOf = (text: string, name: string): string =>
  String(new ICAL.Component(ICAL.parse(text)).getFirstPropertyValue(name) ?? "absent");
