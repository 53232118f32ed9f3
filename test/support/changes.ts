import { type Building, holding, hours, offer, spotOf, windowOf } from "./building.ts";
import { except } from "./exceptions.ts";
import { invitationTo, invite, invited, newAddress } from "./invitations.ts";
import { patternOf, threeDays } from "./patterns.ts";
import type { Person } from "./person.ts";
import { reportOf } from "./spot-reports.ts";
import { webhookOf } from "./webhooks.ts";
import { tell, wishOf } from "./wishes.ts";

/** A change of something that is there. */
export interface Change {
  readonly person: Person;
  readonly path: string;
  readonly body?: object;
  /** Where a GET shows what is changed, and what it shows it by. */
  readonly shownAt?: string;
  /** Another change of the same, by which the tag becomes an old one. */
  readonly other: () => Promise<unknown>;
}

/** A change for each PUT and DELETE, by the name of its route, with all that it needs. */
export function changesIn(
  building: Building,
  administrator: Person,
): Readonly<Record<string, () => Promise<Change>>> {
  const reason = "reason=A%20reason";
  const windowThere = async () => {
    const { owner, window } = await offer(building);
    const path = `/availabilities/${window.id}`;
    return { owner, path, other: () => owner.put(path, { end_time: hours(4) }, 200) };
  };
  const spotThere = async () => {
    const person = await building.resident();
    const path = `/parking-spots/${(await spotOf(person)).id}`;
    return { person, path, other: () => person.put(path, { building_section: "East" }, 200) };
  };
  const claimThere = async () => {
    const { claimer, window } = await offer(building);
    const { id, start_time, end_time } = window;
    const times = { availability_id: id, start_time, end_time };
    const { body } = await claimer.post<{ claim: { id: string } }>("/claims", times, 201);
    const path = `/claims/${body.claim.id}`;
    return { claimer, path, other: () => claimer.put(path, { end_time: hours(4) }, 200) };
  };
  const patternThere = async () => {
    const owner = await building.resident();
    const path = `/patterns/${(await patternOf(owner, threeDays(await spotOf(owner)))).id}`;
    return { owner, path, other: () => owner.put(path, { ends_at: "17:00" }, 200) };
  };
  const profileThere = async () => {
    const person = await building.resident();
    const path = `/admin/profiles/${person.id}`;
    return { person, path, other: () => person.put("/profile", { full_name: "New" }, 200) };
  };
  const webhookThere = async () => {
    const path = `/admin/webhooks/${(await webhookOf(administrator)).id}`;
    const other = () => administrator.put(path, { types: ["claim.submitted"] }, 200);
    return { person: administrator, path, other };
  };

  return {
    "PUT /profile": async () => {
      const { person, other } = await profileThere();
      return { person, path: "/profile", body: { apartment_number: "9" }, other };
    },
    "PUT /profile/preferences": async () => {
      const person = await building.resident();
      const path = "/profile/preferences";
      const other = () => person.put(path, { language: "en" }, 200);
      return { person, path, body: { language: "de" }, other };
    },
    "PUT /parking-spots/:id": async () => ({
      ...(await spotThere()),
      body: { building_section: "West" },
    }),
    "PUT /parking-spots/:id/access": async () => {
      const { person, path: ofSpot } = await spotThere();
      const path = `${ofSpot}/access`;
      const other = () => person.put(path, { access_notes: "Code 1" }, 200);
      return { person, path, body: { access_notes: "Code 2" }, other };
    },
    "DELETE /parking-spots/:id": spotThere,
    "PUT /availabilities/:id": async () => {
      const { owner, path, other } = await windowThere();
      return { person: owner, path, body: { end_time: hours(3) }, other };
    },
    "DELETE /availabilities/:id": async () => {
      const { owner, path, other } = await windowThere();
      return { person: owner, path, other };
    },
    "PUT /patterns/:id": async () => {
      const { owner, path, other } = await patternThere();
      return { person: owner, path, body: { ends_at: "16:00" }, other };
    },
    "DELETE /patterns/:id": async () => {
      const { owner, path, other } = await patternThere();
      return { person: owner, path, other };
    },
    "DELETE /exceptions/:id": async () => {
      const { owner, claimer, spot, claim } = await holding(building);
      const { exception } = await except(owner, "keep", spot, 0.5, 6);
      // Its answer has the claims in it.
      const other = () => claimer.put(`/claims/${claim.id}`, { status: "cancelled" }, 200);
      return { person: owner, path: `/exceptions/${exception.id}`, other };
    },
    "PUT /claims/:id": async () => {
      const { claimer, path, other } = await claimThere();
      return { person: claimer, path, body: { status: "completed" }, other };
    },
    "DELETE /claims/:id": async () => {
      const { claimer, path, other } = await claimThere();
      return { person: claimer, path, other };
    },
    "DELETE /calendar-feed": async () => {
      const person = await building.resident();
      const path = "/calendar-feed";
      await person.post(path, {}, 201);
      return { person, path, other: () => person.post(path, { language: "de" }, 201) };
    },
    "PUT /notifications": async () => {
      const { person, path } = await profileThere();
      const approve = (is_approved: boolean) => administrator.put(path, { is_approved }, 200);
      await approve(false);
      await approve(true);
      return {
        person,
        path: "/notifications",
        body: { is_read: true },
        other: () => approve(false).then(() => approve(true)),
      };
    },
    "PUT /notifications/:id": async () => {
      const { person, path } = await profileThere();
      await administrator.put(path, { is_approved: false }, 200);
      await administrator.put(path, { is_approved: true }, 200);
      const { body } = await person.get<{ notifications: { id: string }[] }>("/notifications", 200);
      const own = `/notifications/${body.notifications[0]?.id}`;
      return {
        person,
        path: own,
        body: { is_read: false },
        other: () => person.put(own, { is_read: true }, 200),
      };
    },
    "DELETE /wishes/:id": async () => {
      const person = await building.resident();
      const path = `/wishes/${(await wishOf(person, 6, 8)).id}`;
      const owner = await building.resident();
      const other = async () => {
        await windowOf(owner, await spotOf(owner), 6, 8);
        await tell(building);
      };
      return { person, path, other };
    },
    "PUT /admin/building": async () => ({
      person: administrator,
      path: "/admin/building",
      shownAt: "/building",
      body: { name: "One" },
      other: () => administrator.put("/admin/building", { name: `Two ${performance.now()}` }, 200),
    }),
    "PUT /admin/sections/:building_section": async () => {
      await spotOf(await building.resident(), "North");
      const path = "/admin/sections/North";
      const days = () => 1 + (performance.now() % 36_000);
      return {
        person: administrator,
        path,
        shownAt: "/sections/North",
        body: { horizon_days: 7 },
        other: () => administrator.put(path, { longest_window_days: Math.floor(days()) }, 200),
      };
    },
    "PUT /admin/profiles/:id": async () => {
      const { path, other } = await profileThere();
      return { person: administrator, path, body: { is_admin: true }, other };
    },
    "DELETE /admin/profiles/:id": async () => {
      const { path, other } = await profileThere();
      return { person: administrator, path: `${path}?${reason}`, shownAt: path, other };
    },
    "PUT /admin/parking-spots/:id": async () => {
      const { path, other } = await spotThere();
      const body = { is_verified: true };
      return { person: administrator, path: `/admin${path}`, shownAt: path, body, other };
    },
    "DELETE /admin/parking-spots/:id": async () => {
      const { path, other } = await spotThere();
      return { person: administrator, path: `/admin${path}?${reason}`, shownAt: path, other };
    },
    "DELETE /admin/invitations/:id": async () => {
      const email = newAddress();
      await invite(administrator, invited(email));
      const { id } = await invitationTo(administrator, email);
      // Nobody changes an invitation; it lapses with its administrator, or is accepted.
      const other = () =>
        building.rows("update parking.invitations set status = 'lapsed' where id = $1", [id]);
      return { person: administrator, path: `/admin/invitations/${id}`, other };
    },
    "PUT /admin/spot-reports/:id": async () => {
      const owner = await building.resident();
      const { id } = await reportOf(owner, await spotOf(owner));
      const other = () =>
        building.rows("update parking.spot_reports set note = 'A van' where id = $1", [id]);
      const body = { is_resolved: true };
      const shownAt = `/spot-reports/${id}`;
      return { person: administrator, path: `/admin${shownAt}`, shownAt, body, other };
    },
    "PUT /admin/webhooks/:id": async () => ({
      ...(await webhookThere()),
      body: { types: ["claim.deleted"] },
    }),
    "DELETE /admin/webhooks/:id": webhookThere,
    "DELETE /admin/availabilities/:id": async () => {
      const { path, other } = await windowThere();
      return { person: administrator, path: `/admin${path}?${reason}`, shownAt: path, other };
    },
    "PUT /admin/claims/:id": async () => {
      const { path, other } = await claimThere();
      const body = { status: "cancelled", reason: "A reason" };
      return { person: administrator, path: `/admin${path}`, shownAt: path, body, other };
    },
  };
}
