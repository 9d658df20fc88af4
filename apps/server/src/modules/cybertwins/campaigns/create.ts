/** Asks for a campaign. A campaign that cannot run is refused before anything is stored. Tested in campaigns.test.ts. */
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { CampaignRow, Chain, NewCampaign } from '../declared/campaign-schema.ts'
import { campaigns } from '../declared/tables.ts'
import { errors } from '../errors/errors.ts'
import { snapshotFor } from '../graph/find.ts'
import { seedOf } from '../graph/seed.ts'
import type { TwinState } from '../model/state.ts'
import type { TwinServices } from '../services/twin-services.ts'
import { caseStudies, type TemplateStep } from './case-studies.ts'
import { chainsOf } from './chains.ts'

export const campaignJob = 'cybertwins.campaign'
const mostUnfinished = 20
/** Runs times steps of one campaign. */
const mostWork = 50_000_000

export interface CampaignAsked {
  readonly scope: TenantScope
  readonly userId: string | null
  readonly body: NewCampaign
}

interface Template {
  readonly name: string
  readonly steps: readonly TemplateStep[]
}

/** @throws TWIN-006, TWIN-008, TWIN-009 */
export async function createCampaign(
  services: Pick<TwinServices, 'kernel' | 'risk'>,
  { scope, userId, body }: CampaignAsked,
): Promise<CampaignRow> {
  const { kernel } = services
  const template = await templateOf(services, scope, body)
  const { row: snapshot, state } = await snapshotFor(services, scope, body.graph_id)
  refuseUnknown(state, body)
  const attacker = { profile: body.profile ?? 'criminal', horizonDays: Math.ceil((body.horizon_hours ?? 720) / 24) }
  const chains = chainsOf({ state, attacker, body, template: template?.steps ?? null })
  if (chains.length === 0)
    throw errors.nothingToAnalyze({ what: 'The graph has no way from the start to the goal, and there are no steps.' })
  const row = newCampaign(kernel, { scope, userId, body, chains, graphId: snapshot.id, template })
  refuseTooLarge(row)
  return kernel.db.tenant(scope, (tx) => queueCampaign(tx, row))
}

/** @throws TWIN-006 for a template that nothing has */
async function templateOf(
  { kernel, risk }: Pick<TwinServices, 'kernel' | 'risk'>,
  scope: TenantScope,
  { template = 'custom', reference, steps }: NewCampaign,
): Promise<Template | null> {
  if (template === 'custom') return null
  if (steps !== undefined)
    throw errors
      .nothingToAnalyze({ what: 'A template brings its own steps. Leave `steps` out, or use `custom`.' })
      .at([{ detail: 'does not go together with a template', pointer: '/steps' }])
  const found = template === 'case_study' ? caseStudies.get(reference ?? '') : undefined
  if (found !== undefined) return found
  const used =
    template === 'case_study' || reference === undefined
      ? []
      : await kernel.db.tenant({ ...scope, readOnly: true }, (tx) => risk.techniquesUsedBy(tx, reference))
  if (used.length > 0) return { name: reference ?? '', steps: used.map(({ id, name }) => ({ technique: id, name })) }
  throw errors
    .unknownReference({ what: template === 'case_study' ? 'case study' : 'group or campaign of the threat library' })
    .at([{ detail: 'There is no such template.', pointer: '/reference' }])
}

function refuseUnknown({ nodes }: TwinState, { start_id: start, goal_id: goal }: NewCampaign): void {
  const named = [
    { id: start, pointer: '/start_id' },
    { id: goal, pointer: '/goal_id' },
  ]
  const unknown = named.filter(({ id }) => id !== undefined && !nodes.some((node) => node.id === id))
  if (unknown.length === 0) return
  throw errors
    .unknownReference({ what: 'asset' })
    .at(unknown.map(({ pointer }) => ({ detail: 'is no asset of the graph', pointer })))
}

interface Made extends CampaignAsked {
  readonly chains: Chain[]
  readonly graphId: string
  readonly template: Template | null
}

function newCampaign(
  { clock, random }: Pick<Kernel, 'clock' | 'random'>,
  { scope, userId, body, chains, graphId, template }: Made,
): CampaignRow {
  const now = clock.iso()
  const { defender = {} } = body
  return {
    ...{ id: random.uuid(), tenant_id: scope.tenantId, created_at: now, updated_at: now },
    name: body.name ?? template?.name ?? 'Campaign',
    ...{ template: body.template ?? 'custom', reference: body.reference ?? null, profile: body.profile ?? 'criminal' },
    ...{ graph_id: graphId, start_id: body.start_id ?? null, goal_id: body.goal_id ?? null },
    runs: body.runs ?? 10_000,
    inputs: {
      chains,
      horizon_hours: body.horizon_hours ?? 720,
      response_hours: defender.response_hours ?? 24,
      evicts: defender.evicts ?? true,
    },
    seed: body.seed ?? seedOf(random),
    ...{ status: 'queued', result: null, failure: null, created_by: userId, started_at: null, finished_at: null },
  }
}

function refuseTooLarge({ runs, inputs }: CampaignRow): void {
  const steps = Math.max(...inputs.chains.map((chain) => chain.steps.length))
  if (runs * steps <= mostWork) return
  throw errors
    .limitExceeded({ what: `${runs} runs of ${steps} steps are more than ${mostWork} steps. Ask for fewer runs.` })
    .at([{ detail: 'are too many for so many steps', pointer: '/runs' }])
}

/** Stores a campaign and its job, which has the same id. @throws TWIN-009 */
async function queueCampaign(tx: Tx, row: CampaignRow): Promise<CampaignRow> {
  await tx.lock('cybertwins.campaigns', tx.tenantId)
  const unfinished = await tx.first(sql<{ n: number }>`
    select count(*)::int as n from cybertwins_campaign where status in ('queued', 'running')`)
  if ((unfinished?.n ?? 0) >= mostUnfinished)
    throw errors.limitExceeded({ what: `${mostUnfinished} campaigns are unfinished. Wait for one or cancel one.` })
  await campaigns.insert(tx, row)
  await tx.enqueue({ id: row.id, kind: campaignJob, payload: { campaign_id: row.id } })
  const { name, template, reference, profile, runs, seed, graph_id } = row
  await tx.audit('cybertwins.campaign.create', {
    target: `cybertwins_campaign:${row.id}`,
    after: { name, template, reference, profile, runs, seed, graph_id },
  })
  return row
}
