import type { Actor } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { anyVersion } from '../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { change, hold } from '../../../kernel/resource/resource.ts'
import type { RepeatableCall } from '../../../kernel/second-person/call.ts'
import type { PolicyRules } from '../../iam/api.ts'
import { errors } from '../declared/errors.ts'
import { policyPublished, policyRolledBack } from '../schemas/events.ts'
import { needOtherThanAuthor, needPerson, needTwoPeople } from './policy-four-eyes.ts'
import { policyResource, versionOf } from './policy-resource.ts'
import type { PolicyRow, PolicyVersionRow, PublishPolicy } from './schema.ts'

type Parts = Pick<Kernel, 'clock'>

interface Demanded {
  readonly rules: PolicyRules
  readonly platformKeys: Kernel['platformKeys']
  readonly repeatable: RepeatableCall
}

export interface Published {
  readonly row: PolicyRow
  readonly previous: number | null
}

/** Makes a version live; an older one than was live is a rollback. @throws API-013, GW-025, GW-033 */
export async function publishPolicy(
  parts: Parts,
  tx: Tx,
  actor: Actor | null,
  request: PublishPolicy & { readonly id: string; readonly demanded?: Demanded },
): Promise<Published> {
  const held = await hold(tx, policyResource, { id: request.id, precondition: anyVersion })
  const { row } = held
  if (row.status === 'archived') throw errors.policyTransition({ what: 'An archived policy cannot be published.' })
  if (row.active_version === request.version)
    throw errors.policyTransition({ what: `Version ${request.version} is live already.` })
  const version = await versionOf(tx, row.id, request.version)
  if (version === null) throw apiErrors.notFound({ what: 'policy version' })
  const askedBy = await keepRules(parts, tx, { request, row, version, actor })
  const at = parts.clock.iso()
  const previous = row.active_version
  const patched = await change(parts, tx, held, {
    action: 'gateway.policy.publish',
    changes: { status: 'published', active_version: request.version },
    before: { active_version: previous },
    after: ({ active_version }) => ({
      active_version,
      sha256: version.sha256,
      approved: request.approve === true,
      ...askedBy,
    }),
    ...(request.note === undefined ? {} : { reason: request.note }),
  })
  await markVersions(tx, { policyId: row.id, published: request.version, previous, by: actor?.userId ?? null, at })
  await tx.emit(previous !== null && request.version < previous ? policyRolledBack : policyPublished, row.id, {
    policy_id: row.id,
    version: request.version,
    previous_version: previous,
    sha256: version.sha256,
    by: actor?.userId ?? null,
    note: request.note ?? null,
  })
  return { row: patched, previous }
}

interface Publication {
  readonly request: PublishPolicy & { readonly demanded?: Demanded }
  readonly row: PolicyRow
  readonly version: PolicyVersionRow
  readonly actor: Actor | null
}

/** Hours for which a simulation counts. */
const simulationHours = 24

/**
 * Tenant's requirements before a version goes live; returns the person who requested it first if it was live before.
 * @throws GW-025, GW-033
 */
async function keepRules(parts: Parts, tx: Tx, publication: Publication): Promise<{ readonly asked_by?: string }> {
  const { demanded } = publication.request
  if (demanded === undefined || publication.actor === null) return {}
  const askedBy = demanded.rules.fourEyes
    ? await keepFourEyes({ ...parts, ...demanded }, tx, publication.actor, publication)
    : null
  if (demanded.rules.simulationRequired) await needSimulation(parts, tx, publication.version)
  return askedBy === null ? {} : { asked_by: askedBy }
}

/** Saving a version asks for its publication, once; that it is live again is asked for anew. */
async function keepFourEyes(
  parts: Pick<Kernel, 'clock' | 'platformKeys'> & Pick<Demanded, 'repeatable'>,
  tx: Tx,
  actor: Actor,
  { request, row, version }: Publication,
): Promise<string | null> {
  needPerson(actor)
  const again = version.published_at !== null
  const askedBy = again ? await needTwoPeople(parts, tx, actor, { row, call: parts.repeatable }) : null
  if (!again) needOtherThanAuthor(actor, version)
  if (request.approve !== true)
    throw errors.policyTransition({ what: 'Publishing this version is an approval, which has to be said: approve.' })
  return askedBy
}

async function needSimulation({ clock }: Parts, tx: Tx, version: PolicyVersionRow): Promise<void> {
  const since = new Date(clock.now() - simulationHours * 3_600_000).toISOString()
  const simulated = await tx.first(
    sql`
      select 1 as found from gateway_simulation
      where policy_id = ${version.policy_id} and sha256 = ${version.sha256} and created_at >= ${since}
        and (summary ->> 'evaluated')::int > 0
      limit 1`,
  )
  if (simulated === null)
    throw errors.policyTransition({ what: `This version was not simulated in the last ${simulationHours} hours.` })
}

interface Marked {
  readonly policyId: string
  readonly published: number
  readonly previous: number | null
  readonly by: string | null
  readonly at: string
}

async function markVersions(tx: Tx, { policyId, published, previous, by, at }: Marked): Promise<void> {
  await tx.execute(
    sql`
      update gateway_policy_version set published_at = ${at}, published_by = ${by}, replaced_at = null
      where policy_id = ${policyId} and number = ${published}`,
  )
  if (previous === null) return
  await tx.execute(
    sql`update gateway_policy_version set replaced_at = ${at} where policy_id = ${policyId} and number = ${previous}`,
  )
}
