/** Populations of AEGIS that checks hold against its rules. Tested in modules/compliance/checks/populations.test.ts. */
import Type, { type Static } from 'typebox'
import { canonicalHash } from '../../kernel/crypto/canonical-json.ts'
import type { Tx } from '../../kernel/db/port.ts'
import { sql } from '../../kernel/db/sql.ts'
import { defineFact } from '../../kernel/facts/define.ts'
import { mostItems, populationOf, readPopulation } from '../../kernel/facts/population.ts'
import { oneOf, strictObject, Timestamp, Uuid } from '../../kernel/schema/types.ts'
import { type CoveredAgent, contextOf, type EnforcedGuardrail } from './guardrails/coverage/coverage.ts'
import type { GuardrailAction } from './guardrails/declared/words.ts'
import { stageOf } from './guardrails/engine/compile.ts'
import { compileTarget } from './guardrails/engine/target.ts'
import { serviceStatuses } from './shadow-ai/declared/service-states.ts'

const Count = Type.Integer({ minimum: 0 })

const Agent = strictObject({
  id: Uuid,
  risk_tier: Type.Integer({ minimum: 1, maximum: 4 }),
  owner_user_id: Uuid,
  material_sha256: Type.String({
    maxLength: 64,
    description: 'Of purpose, models, tools, data classes, autonomy and kind of input: another one is another system',
  }),
  input_guarded: Type.Boolean({ description: 'An enforced guardrail judges its input' }),
  output_guarded: Type.Boolean({ description: 'An enforced guardrail judges its output' }),
  irreversible: { ...Count, description: 'Declared tools that send outside, run code, pay or destroy' },
  unapproved: Type.Array(Type.String({ maxLength: 300 }), {
    maxItems: 500,
    description: 'Irreversible tools that no enforced guardrail holds for approval or denies',
  }),
})

interface AgentInUse extends Omit<CoveredAgent, 'tools'> {
  readonly owner_user_id: string
  readonly material: Readonly<Record<string, unknown>>
  readonly irreversible: readonly { readonly server_slug: string; readonly tool: string }[]
  readonly recount: number
}

interface ActingGuardrail extends EnforcedGuardrail {
  readonly action: GuardrailAction
}

export const agentControlsFact = defineFact({
  name: 'aegis.agent_controls',
  description: 'Active agents with the enforced guardrails on them and the approvals that their tools need.',
  permission: 'aegis:read',
  schema: populationOf(Agent),
  read: async ({ tx }) => {
    const isJudged = judgeOf(await enforced(tx))
    const found = await readPopulation(tx, {
      count: sql`
        select ((select count(*) from aegis_agent)
          - (select count(*) from aegis_agent where status <> 'active'))::int as total`,
      items: activeAgents,
    })
    return { ...found, items: found.items.map((agent) => shown(agent, isJudged)) }
  },
})

const activeAgents = sql<AgentInUse>`
  select id, risk_tier as tier, autonomy_level as autonomy, tags, environment as env, data_classes as "dataClasses",
    owner_user_id, count(*) over ()::int as recount,
    jsonb_build_object('purpose', purpose, 'models', models, 'tools', tools, 'data_classes', data_classes,
      'autonomy', autonomy_level, 'untrusted_input', untrusted_input) as material,
    jsonb_path_query_array(tools, '$[*] ? (@.capability == "external_send" || @.capability == "code_exec"
      || @.capability == "payment" || @.capability == "destructive")') as irreversible
  from aegis_agent where status = 'active' order by id limit ${mostItems}`

const enforced = (tx: Tx) =>
  tx.query(sql<ActingGuardrail>`
    select rail.kind, one.definition -> 'target' as target, one.definition ->> 'action' as action
    from aegis_guardrail rail join aegis_guardrail_version one
      on one.guardrail_id = rail.id and one.number = coalesce(rail.base_version, rail.live_version)
    where rail.base_version is not null or (rail.status = 'enforce' and rail.rollout_percent >= 100)`)

type Stage = ReturnType<typeof stageOf>
type Judge = (stage: Stage, agent: CoveredAgent, tool: string | null, actions?: readonly GuardrailAction[]) => boolean

function judgeOf(guardrails: readonly ActingGuardrail[]): Judge {
  const compiled = guardrails.map(({ kind, target, action }) => ({
    ...{ stage: stageOf(kind), target: compileTarget(target), action },
  }))
  return (stage, agent, tool, actions) =>
    compiled.some(
      (one) =>
        one.stage === stage &&
        (actions?.includes(one.action) ?? true) &&
        (one.target?.(contextOf(stage, agent, tool)) ?? true),
    )
}

const keeping: readonly GuardrailAction[] = ['hold', 'deny']

function shown(agent: Omit<AgentInUse, 'recount'>, isJudged: Judge): Static<typeof Agent> {
  const { id, tier, owner_user_id, material, irreversible } = agent
  const tools = irreversible.map(({ server_slug: server, tool }) => `${server}/${tool}`)
  const covered: CoveredAgent = { ...agent, tools }
  return {
    ...{ id, risk_tier: tier, owner_user_id, irreversible: tools.length },
    material_sha256: canonicalHash(material),
    input_guarded: isJudged('input', covered, null),
    output_guarded: isJudged('output', covered, null),
    unapproved: tools.filter((tool) => !isJudged('tool', covered, tool, keeping)),
  }
}

const Tool = strictObject({
  id: Uuid,
  tool: Type.String({ maxLength: 300 }),
  status: Type.String({ maxLength: 20 }),
  pinned: Type.Boolean({ description: 'Its definition is the one that somebody approved' }),
})

/** Tools that may be called: approved ones, those that changed since, and all others of servers that allow by default. */
const isEnabled = sql`
  server.status = 'active' and (tool.status in ('approved', 'changed')
    or (tool.status = 'pending' and server.default_action = 'allow'))`

export const enabledToolsFact = defineFact({
  name: 'aegis.enabled_tools',
  description: 'Tools of active MCP servers that may be called, and whether their definitions are approved.',
  permission: 'aegis:read',
  schema: populationOf(Tool),
  read: ({ tx }) =>
    readPopulation(tx, {
      count: sql`
        select coalesce(sum(case when server.default_action = 'allow' then approved + changed + pending
          else approved + changed end), 0)::int as total
        from aegis_mcp_server server join (
          select server_id, count(*) filter (where status = 'approved') as approved,
            count(*) filter (where status = 'changed') as changed, count(*) filter (where status = 'pending') as pending
          from aegis_mcp_tool group by server_id) counted on counted.server_id = server.id
        where server.status = 'active'`,
      items: sql<Static<typeof Tool> & { recount: number }>`
        select tool.id, server.slug || '/' || tool.name as tool, tool.status, count(*) over ()::int as recount,
          tool.status = 'approved' and tool.pin_sha256 is not null as pinned
        from aegis_mcp_tool tool join aegis_mcp_server server on server.id = tool.server_id
        where ${isEnabled} order by tool.id limit ${mostItems}`,
    }),
})

const Service = strictObject({
  id: Uuid,
  status: oneOf(...serviceStatuses),
  first_seen_at: Timestamp,
})

export const shadowDecisionsFact = defineFact({
  name: 'aegis.shadow_ai_decisions',
  description: 'Discovered AI services with their status and the moment of their discovery.',
  permission: 'aegis:read',
  schema: populationOf(Service),
  read: ({ tx }) =>
    readPopulation(tx, {
      count: sql`
        select coalesce(sum(services), 0)::int as total
        from (select count(*) as services from aegis_shadow_ai_service group by type, status) kinds`,
      items: sql<Static<typeof Service> & { recount: number }>`
        select id, status, first_seen as first_seen_at, count(*) over ()::int as recount
        from aegis_shadow_ai_service order by id limit ${mostItems}`,
    }),
})

const Use = strictObject({
  id: Uuid,
  scope: Type.String({ maxLength: 20 }),
  activated_at: Timestamp,
  instances: { ...Count, description: 'Instances that had to enforce it' },
  enforced: { ...Count, description: 'Of these, those that said that they do' },
  slowest_ms: Type.Number({ minimum: 0 }),
})

export const killSwitchUsesFact = defineFact({
  name: 'aegis.kill_switch_uses',
  description: 'Activations of kill switches in the last 90 days, drills among them, with the time until enforcement.',
  permission: 'aegis:read',
  schema: populationOf(Use),
  read: ({ tx, at }) =>
    readPopulation(tx, {
      count: sql`
        select coalesce(sum(used), 0)::int as total from (
          select count(*) as used from aegis_kill_switch
          where activated_at > ${at}::timestamptz - interval '90 days' group by status) states`,
      items: sql<Static<typeof Use> & { recount: number }>`
        select id, scope, activated_at, (propagation ->> 'nodes_total')::int as instances,
          (propagation ->> 'nodes_acked')::int as enforced, (propagation ->> 'max_ms')::float8 as slowest_ms,
          count(*) over ()::int as recount
        from aegis_kill_switch where activated_at > ${at}::timestamptz - interval '90 days'
        order by activated_at desc, id desc limit ${mostItems}`,
    }),
})

export const checkFacts = [agentControlsFact, enabledToolsFact, shadowDecisionsFact, killSwitchUsesFact]
