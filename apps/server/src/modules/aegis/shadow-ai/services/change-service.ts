/** Decisions about a discovered service. Tested in services.test.ts. */
import type { Actor } from '../../../../kernel/access/actor.ts'
import type { Tx } from '../../../../kernel/db/port.ts'
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import type { Precondition } from '../../../../kernel/http/answer/etag.ts'
import { Versioned } from '../../../../kernel/module/route.ts'
import { type Changes, change, hold, resource } from '../../../../kernel/resource/resource.ts'
import { errors } from '../../errors/errors.ts'
import { requestRefresh } from '../../posture/refresh.ts'
import type { ShadowAiParts } from '../declared/parts.ts'
import type { PatchService, Service, ServiceRow } from '../declared/service-schema.ts'
import { mostToleratedDays, nextStatuses, type ServiceStatus } from '../declared/service-states.ts'
import { services } from '../declared/tables.ts'
import { serviceView } from './find-services.ts'

const dayMs = 86_400_000

export const serviceResource = resource({ table: services, kind: 'shadow_ai_service' })

export interface ServiceChange {
  readonly id: string
  readonly actor: Actor
  readonly precondition: Precondition
  readonly input: PatchService
}

/** @throws API-013, API-012, API-001, AEGIS-002 */
export async function changeService(
  { kernel, iam }: ShadowAiParts,
  tx: Tx,
  { actor, input, ...asked }: ServiceChange,
): Promise<Versioned<Service>> {
  const held = await hold(tx, serviceResource, asked)
  const { owner_user_id: owner } = input
  if (owner !== undefined && owner !== null) await refuseUnknownOwner(iam, tx, owner)
  const changes: Changes<ServiceRow> = {
    ...(owner === undefined ? {} : { owner_user_id: owner }),
    ...moveOf(held.row, input, { by: actor.userId, now: kernel.clock.now() }),
  }
  const row = await change(kernel, tx, held, {
    action: 'aegis.shadow_ai_service.update',
    changes,
    ...(input.reason === undefined ? {} : { reason: input.reason }),
  })
  if (row.status !== held.row.status) await requestRefresh(kernel, tx)
  return new Versioned(serviceView(row), row.version)
}

async function refuseUnknownOwner(iam: ShadowAiParts['iam'], tx: Tx, owner: string): Promise<void> {
  const known = await iam.knownPrincipals(tx, { users: [owner], keys: [] })
  if (!known.has(owner)) throw invalid('/owner_user_id', 'There is no such user.')
}

interface Move {
  readonly by: string
  readonly now: number
}

function moveOf(row: ServiceRow, input: PatchService, { by, now }: Move): Changes<ServiceRow> {
  const { status, reason, conditions = null, until = null } = input
  if (status === undefined) {
    refuseWithoutStatus(input)
    return {}
  }
  refuseTransition(row.status, status)
  if (status === 'under_review') return { status, tolerated_until: null }
  if (reason === undefined) throw invalid('/reason', 'A decision needs its reason.')
  refuseUntil(status, until, now)
  const decision = { by, at: new Date(now).toISOString(), reason, conditions, until }
  return { status, decision, tolerated_until: status === 'tolerated' ? until : null }
}

function refuseWithoutStatus(input: PatchService): void {
  const alone = (['reason', 'conditions', 'until'] as const).find((name) => input[name] !== undefined)
  if (alone !== undefined) throw invalid(`/${alone}`, `${alone} belongs to a decision: send the status with it.`)
}

/** @throws AEGIS-002 */
export function refuseTransition(from: ServiceStatus, to: ServiceStatus): void {
  const allowed = nextStatuses(from)
  if (allowed.includes(to)) return
  const detail = `A service that is ${from} goes to ${allowed.join(' or ')}, not to ${to}.`
  throw errors.illegalMove({ what: 'service', status: from, to }).at([{ detail, pointer: '/status' }])
}

function refuseUntil(status: ServiceStatus, until: string | null, now: number): void {
  if (status !== 'tolerated') {
    if (until !== null) throw invalid('/until', 'Only toleration ends at a time.')
    return
  }
  if (until === null) throw invalid('/until', 'Toleration needs the time at which it ends.')
  const ends = Date.parse(until)
  if (ends <= now) throw invalid('/until', 'The time is in the past.')
  if (ends > now + mostToleratedDays * dayMs)
    throw invalid('/until', `Toleration lasts ${mostToleratedDays} days at most.`)
}

const invalid = (pointer: string, detail: string) => apiErrors.validation({ what: detail }).at([{ detail, pointer }])
