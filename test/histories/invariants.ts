import { contradictions } from "../concurrency/consistency.ts";

/**
 * Each notification that the log gives a reason for, and that is missing; and each that is there
 * without a reason. Nobody is notified of their own action. A deleted spot has one for each who had
 * completed a claim on it before its end, and nobody is notified of the claims that outlive it.
 */
const notifications = `
  with logged as materialized (
    select e.id, e.type, e.subject_id, e.actor_id, e.data, e.xmin::text as transaction
      from private.events e
     where e.id > $1
  ),
  owned as (
    select w.subject_id as window_id, s.subject_id as spot_id, (s.data ->> 'owner_id')::uuid as owner_id
      from logged w
      join logged s on s.subject_id = (w.data ->> 'spot_id')::uuid and s.type = 'spot.registered'
     where w.type = 'availability.created'
  ),
  claimed as (
    select l.*, o.owner_id, o.spot_id, (l.data ->> 'claimer_id')::uuid as claimer_id
      from logged l
      join owned o on o.window_id = (l.data ->> 'availability_id')::uuid
     where l.type like 'claim.%'
       and not exists (
         select from logged d
          where d.type = 'spot.deleted' and d.subject_id = o.spot_id and d.id < l.id
       )
  ),
  expected (recipient_id, kind, claim_id, spot_id, actor_id) as (
    select owner_id, type, subject_id, spot_id, actor_id
      from claimed
     where type <> 'claim.updated'
    union all
    select claimer_id, type, subject_id, spot_id, actor_id
      from claimed
     where type = 'claim.cancelled'
        or type = 'claim.deleted' and data ->> 'status' <> 'cancelled'
    union all
    select o.owner_id, l.type, null, o.spot_id, l.actor_id
      from logged l
      join owned o on o.window_id = l.subject_id
     where l.type = 'availability.deleted'
       and not exists (
         select from logged d where d.type = 'spot.deleted' and d.transaction = l.transaction
       )
    union all
    select (data ->> 'owner_id')::uuid, type, null, subject_id, actor_id
      from logged
     where type = 'spot.deleted'
    union all
    select distinct c.claimer_id, d.type, null::uuid, c.spot_id, d.actor_id
      from logged d
      join parking.claims c on c.spot_id = d.subject_id and c.status = 'completed'
     where d.type = 'spot.deleted'
    union all
    select subject_id, type, null, null, actor_id
      from logged
     where type = 'profile.approved'
  ),
  due as (
    select recipient_id, kind, claim_id, spot_id from expected where actor_id <> recipient_id
  ),
  sent as (
    select recipient_id, kind, claim_id, spot_id
      from parking.notifications
     where kind <> 'wish.fits' -- ./wishes.ts
  )
  select 'a notification is missing' as wrong, kind, recipient_id, claim_id, spot_id
    from (select * from due except all select * from sent) missing
  union all
  select 'a notification has no reason', kind, recipient_id, claim_id, spot_id
    from (select * from sent except all select * from due) needless`;

/** What must hold after every history. */
export const invariants: readonly { readonly sql: string; readonly isSince?: true }[] = [
  { sql: contradictions },
  { sql: "select 'a total is wrong' as wrong, * from private.count_drifts" },
  { sql: notifications, isSince: true },
];
