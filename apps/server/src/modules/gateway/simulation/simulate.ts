/**
 * Tries a policy on messages or on logged calls. Promises that no provider is asked, that nothing changes except for
 * the record of the simulation, and an answer within the limit with the calls done by then. Tested in
 * simulation.test.ts.
 */

import { canonicalHash } from '../../../kernel/crypto/canonical-json.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { errors } from '../declared/errors.ts'
import { installedOf } from '../detection/classifiers/classifiers.ts'
import { versionOf } from '../policies/policy-resource.ts'
import type { PolicyRow } from '../policies/schema.ts'
import { policies } from '../policies/tables.ts'
import { readDocument } from '../policy/check.ts'
import { complete } from '../policy/defaults.ts'
import type { PolicyDocument } from '../policy/document.ts'
import type { PublishedPolicy } from '../policy/published.ts'
import type { GatewayServices } from '../services/gateway-services.ts'
import { callOf } from './input.ts'
import { simulateChunk, simulateSample } from './run.ts'
import { sampledIds } from './sample.ts'
import type { NewSimulation, Simulation, Summary } from './schema.ts'
import { type Counted, examplesOf, type Judged, summaryOf } from './summary.ts'
import { simulations } from './tables.ts'
import type { Prepared, SimulationAsked, Tried } from './tried.ts'

const defaultLimitMs = 10_000

/** @throws API-013, API-001, GW-001, GW-026, GW-028 */
export async function simulate(services: GatewayServices, asked: SimulationAsked): Promise<Simulation> {
  const { kernel, snapshots } = services
  const { scope, body } = asked
  refuseUnclear(body)
  const startedMs = kernel.clock.monotonic()
  const deadlineMs = startedMs + (body.time_limit_ms ?? defaultLimitMs)
  const snapshot = await snapshots.get(scope.tenantId)
  const prepared = await kernel.db.tenant({ ...scope, readOnly: true }, (tx) => prepare(services, tx, asked))
  const tried = { services, asked, snapshot, prepared, deadlineMs }
  const found = body.input === undefined ? await trySample(tried) : await tryInput(tried)
  const summary = summaryOf(found.judged, found.counted)
  const id = await keep(services, { ...asked, prepared, summary })
  const single = body.input === undefined ? null : (found.judged[0]?.outcome ?? null)
  const at = kernel.clock.iso()
  return {
    id,
    tenant_id: scope.tenantId,
    created_at: at,
    updated_at: at,
    policy_id: prepared.row.id,
    version: prepared.version,
    sha256: prepared.policy.sha256,
    compare_to: body.compare_to ?? null,
    status: 'completed',
    decision: single?.decision ?? null,
    error_code: single?.error?.code ?? null,
    steps: [...(single?.steps ?? [])],
    security: single?.security ?? null,
    summary,
    examples: examplesOf(found.judged),
    took_ms: Math.round((kernel.clock.monotonic() - startedMs) * 1000) / 1000,
  }
}

function refuseUnclear({ version, document, input, sample }: NewSimulation): void {
  const wrong = (what: string, pointer: string): never => {
    throw apiErrors.validation({ what }).at([{ detail: what, pointer }])
  }
  if (version !== undefined && document !== undefined) wrong('Either a version or a document is tried.', '/document')
  if ((input === undefined) === (sample === undefined))
    wrong('A policy is tried either on an input or on a sample of the log.', '/input')
}

async function prepare(
  { classifiers }: GatewayServices,
  tx: Tx,
  { policyId, body }: SimulationAsked,
): Promise<Prepared> {
  const row = await policies.need(tx, policyId)
  const stored = async (number: number): Promise<PublishedPolicy> => {
    const found = await versionOf(tx, row.id, number)
    if (found === null) throw apiErrors.notFound({ what: 'policy version' })
    return policyOf(row, complete(found.document), { version: number, sha256: found.sha256 })
  }
  const other = body.compare_to === undefined ? null : await stored(body.compare_to)
  if (body.document === undefined) {
    const version = body.version ?? row.latest_version
    return { row, policy: await stored(version), version, other }
  }
  const document = readDocument(body.document, installedOf(classifiers))
  const policy = policyOf(row, document, { version: row.latest_version, sha256: canonicalHash(document) })
  return { row, policy, version: null, other }
}

type Numbered = Pick<PublishedPolicy, 'version' | 'sha256'>

function policyOf({ id, name }: PolicyRow, document: PolicyDocument, { version, sha256 }: Numbered): PublishedPolicy {
  return { id, name, version, sha256, document, bindings: [] }
}

interface Found {
  readonly judged: readonly Judged[]
  readonly counted: Counted
}

const allowedBefore = { decision: 'allowed', wouldBlock: false } as const

async function tryInput(tried: Tried): Promise<Found> {
  const { services, asked, snapshot } = tried
  const call = callOf(asked.body.input, { actor: asked.actor, snapshot, at: services.kernel.clock.iso() })
  const pairs = await simulateChunk(tried, [call])
  const judged = (pairs ?? []).map(({ id, outcome, other }) => ({ id, outcome, before: other ?? allowedBefore }))
  return { judged, counted: { matched: 1, notKept: 0, truncated: pairs === null } }
}

async function trySample(tried: Tried): Promise<Found> {
  const { services, asked } = tried
  const { scope, body } = asked
  const sample = body.sample ?? {}
  const ids = await services.kernel.db.tenant({ ...scope, readOnly: true }, (tx) => sampledIds(tx, sample))
  const found = await simulateSample(tried, ids)
  if (ids.length > 0 && found.notKept === ids.length) throw errors.payloadNotRetained()
  return { judged: found.judged, counted: { matched: ids.length, notKept: found.notKept, truncated: found.truncated } }
}

interface Kept extends SimulationAsked {
  readonly prepared: Prepared
  readonly summary: Summary
}

/** That it was tried, so that a rule may demand it before a version goes live. */
async function keep({ kernel }: GatewayServices, { scope, actor, prepared, summary }: Kept): Promise<string> {
  const id = kernel.random.uuid()
  const { row, policy, version } = prepared
  await kernel.db.tenant(scope, async (tx) => {
    await simulations.insert(tx, {
      id,
      tenant_id: scope.tenantId,
      policy_id: row.id,
      policy_version: version,
      sha256: policy.sha256,
      summary,
      user_id: actor.userId,
      created_at: kernel.clock.iso(),
    })
    await tx.audit('gateway.policy.simulate', {
      target: `policy:${row.id}`,
      after: { version, sha256: policy.sha256, evaluated: summary.evaluated, would_block: summary.would_block },
    })
  })
  return id
}
