/**
 * Steps with an effect inside the platform. Each runs in the transaction that writes its journal entry, with the rights that
 * its run has at this moment, so that it happens exactly once or not at all. Tested in engine.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { lazyCheck } from '../../../kernel/schema/validators.ts'
import { type KillSwitch, killSwitchScopes } from '../../aegis/api.ts'
import type { IntegrationRow } from '../declared/integration-schema.ts'
import { integrations } from '../declared/integration-tables.ts'
import { messageOfOwn } from '../declared/message.ts'
import { queueDeliveries } from '../deliveries/queue.ts'
import { errors } from '../errors/errors.ts'
import { raise } from '../notifications/raise.ts'
import { requestReport } from '../reports/request.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import { type StepInputs, type StepType, stepInputs } from './declared/definition.ts'
import type { RunRow } from './declared/schema.ts'

export interface Effect {
  readonly services: PlatformServices
  readonly tx: Tx
  readonly actor: Actor
  readonly run: RunRow
  readonly stepId: string
}

type EffectType = Extract<
  StepType,
  | 'notify'
  | 'create_ticket'
  | 'set_kill_switch'
  | 'run_assessment'
  | 'recalculate_trust'
  | 'quarantine_agent'
  | 'generate_report'
>

type Effects = { readonly [K in EffectType]: (effect: Effect, input: StepInputs[K]) => Promise<unknown> }

const checks = new Map(Object.entries(stepInputs).map(([type, schema]) => [type, lazyCheck(schema)]))

export const isEffect = (type: StepType): type is EffectType => type in effects

/** @throws PLAT-012 where the filled-in input has not the form of the step, and whatever the effect throws */
export async function perform(effect: Effect, type: EffectType, input: unknown): Promise<unknown> {
  const parts = checks.get(type)?.(input) ?? []
  if (parts.length > 0)
    throw errors.definitionInvalid({
      what: `The input of the step is not valid when it runs: ${parts[0]?.pointer} ${parts[0]?.detail}`.slice(0, 500),
    })
  const act = effects[type] as (one: Effect, given: unknown) => Promise<unknown>
  return act(effect, input)
}

const effects: Effects = {
  notify: async ({ services, tx, actor }, input) => {
    const raised = await raise(services, tx, {
      ...{ title: input.title.replaceAll(/\p{Cc}+/gu, ' '), body: input.body, severity: input.severity },
      ...{ category: input.category ?? 'workflow', recipients: input.recipients, source: 'workflow' },
      actorId: actor.userId,
      ...(input.integration_ids === undefined ? {} : { integrationIds: input.integration_ids }),
    })
    if (raised === null) throw errors.noRecipient()
    return { notification_id: raised.row.id, recipients: raised.recipientIds.length }
  },
  create_ticket: createTicket,
  set_kill_switch: setKillSwitch,
  run_assessment: ({ services, tx, actor }, { name, framework_ids: frameworkIds }) =>
    services.compliance.runAssessment(tx, actor, { name, frameworkIds }),
  recalculate_trust: async ({ services, tx }) => {
    await services.trust.requestRecalculation(tx)
    return { requested: true }
  },
  quarantine_agent: async ({ services, tx, actor }, { agent_id: id, reason }) => {
    await services.aegis.quarantineAgent(tx, actor, { id, comment: reason })
    return { agent_id: id, status: 'quarantined' }
  },
  generate_report: async ({ services, tx, actor, run }, { kind, title, formats }) => {
    const report = await requestReport(services, tx, {
      actor,
      workflowId: run.workflow_id,
      input: { kind, formats, ...(title === undefined ? {} : { title }) },
    })
    return { report_id: report.id }
  },
}

/** The message is stored with the journal and delivered at least once, under one id and one key of the thing. */
async function createTicket(
  { services, tx, run, stepId }: Effect,
  input: StepInputs['create_ticket'],
): Promise<unknown> {
  const { kernel } = services
  const integration = await tx.first(sql<IntegrationRow>`
    select ${integrations.columns} from platform_integration where id = ${input.integration_id}`)
  if (integration === null || integration.status !== 'active' || integration.kind === 's3')
    throw errors.notActive({ status: integration?.status ?? 'unknown' })
  const message = messageOfOwn(
    {
      ...{ id: kernel.random.uuid(), kind: 'notification', tenantId: tx.tenantId, at: kernel.clock.iso() },
      ...{ severity: input.severity ?? 'medium', title: input.title.replaceAll(/\p{Cc}+/gu, ' '), text: input.body },
      ...{ path: `/workflows/runs/${run.id}`, key: input.key ?? `platform.run/${run.id}/${stepId}` },
      data: { tenant_id: tx.tenantId, run_id: run.id, step_id: stepId, workflow_id: run.workflow_id },
    },
    kernel.config,
  )
  const [deliveryId] = await queueDeliveries(kernel, tx, [{ integration, kind: 'notification', message }])
  return { delivery_id: deliveryId, integration_id: integration.id }
}

async function setKillSwitch({ services, tx, actor }: Effect, input: StepInputs['set_kill_switch']): Promise<unknown> {
  const { aegis, kernel } = services
  if (input.action === 'deactivate') {
    if (input.kill_switch_id === undefined)
      throw errors.definitionInvalid({ what: 'Ending a kill switch needs its `kill_switch_id`.' })
    return shown(await aegis.deactivate(tx, actor, { id: input.kill_switch_id, reason: input.reason }))
  }
  const scope = killSwitchScopes.find((one) => one === input.scope)
  if (scope === undefined)
    throw errors.definitionInvalid({ what: `There is no scope ${input.scope}. Use ${killSwitchScopes.join(', ')}.` })
  if (input.reason.length < 10)
    throw errors.definitionInvalid({ what: 'The reason of a kill switch has at least 10 characters.' })
  const seconds = input.expires_in_seconds
  const activated = await aegis.activate(tx, actor, {
    ...{ scope, value: input.value ?? null, level: input.level ?? 'block_new', reason: input.reason, exempt: [] },
    expiresAt: seconds === undefined ? null : new Date(kernel.clock.now() + seconds * 1_000).toISOString(),
    source: 'platform',
  })
  return shown(activated)
}

const shown = ({ id, scope, value, status }: KillSwitch) => ({ kill_switch_id: id, scope, value, status })
