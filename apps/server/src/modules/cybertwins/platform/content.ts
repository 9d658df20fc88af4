/** Turns facts of the platform into assets and relations. Pure. Tested in imports.test.ts. */
import {
  type AssetRef,
  plainRelation,
  type ReadAsset,
  type ReadControl,
  type ReadRelation,
  type TwinContent,
} from '../assets/content.ts'
import { type AssetKind, dataClasses, type RelationKind } from '../declared/words.ts'
import type { Attacks, PlatformAgent, readKeys, readPrivileged, readProviders } from './facts.ts'
import { measuredGuardrail } from './measured.ts'

export interface PlatformFacts {
  readonly agents: readonly PlatformAgent[]
  readonly attacks: Attacks
  readonly providers: ReturnType<typeof readProviders>
  readonly accounts: ReturnType<typeof readKeys>
  readonly administrators: ReturnType<typeof readPrivileged>
}

const live: ReadonlySet<string> = new Set(['approved', 'active', 'quarantined'])
const sending: ReadonlySet<string> = new Set(['external_send', 'payment'])
const levels: Readonly<Record<string, number>> = { public: 1, internal: 2, confidential: 4, restricted: 5 }
/** Share of stolen passwords that a second factor stops; assumed, not measured. */
const factorEfficacy = 0.9

const internet = 'internet'
const content = 'untrusted-content'
const guardrail = 'guardrail/injection'

export function platformContent(facts: PlatformFacts): Omit<TwinContent, 'skipped'> {
  const building = new Building()
  building.asset('external', internet, 'Internet', { entry_point: true, exposure: 'internet' })
  building.asset('prompt_source', content, 'Content of others', { exposure: 'internet' })
  building.relation(internet, 'feeds_content', content)
  const agents = facts.agents.filter(({ status }) => live.has(status))
  if (agents.length > 0) building.asset('guardrail', guardrail, 'Injection detection of the gateway', {})
  for (const agent of agents) addAgent(building, agent, facts.attacks)
  addProviders(building, facts)
  addAccounts(building, facts, new Set(agents.map(({ id }) => id)))
  addAdministrators(building, facts, agents)
  return { assets: building.assets, relations: building.relations, vex: [] }
}

class Building {
  readonly assets: ReadAsset[] = []
  readonly relations: ReadRelation[] = []
  readonly #known = new Set<string>()

  /** Once for each id. */
  asset(
    kind: AssetKind,
    id: string,
    name: string,
    fields: ReadAsset['fields'],
    more: Pick<ReadAsset, 'controls'> = {},
  ): void {
    if (this.#known.has(id)) return
    this.#known.add(id)
    const pointer = `/platform/${id}`
    const shown = (name === '' ? id : name).slice(0, 300)
    this.assets.push({ kind, name: shown, externalIds: [{ source: 'platform', id }], fields, ...more, pointer })
  }

  relation(from: string, kind: RelationKind, to: string): void {
    const ref = (id: string): AssetRef => ({ key: `platform:${id}` })
    this.relations.push(plainRelation(ref(from), kind, ref(to), `/platform/${from}/${kind}/${to}`))
  }
}

function addAgent(building: Building, agent: PlatformAgent, attacks: Attacks): void {
  const id = `agent/${agent.id}`
  const measured = measuredGuardrail(attacks, agent.id)
  const controls: ReadControl[] = measured === null ? [] : [measured]
  const fields = {
    criticality: Math.min(5, Math.max(1, agent.riskTier + 1)),
    ...{ environment: agent.environment, exposure: 'internal' as const },
    ...(agent.ownerId === '' ? {} : { owner_id: agent.ownerId }),
    properties: [{ name: 'agent_id', value: agent.id }],
  }
  building.asset('agent', id, agent.name, fields, { controls })
  building.relation(guardrail, 'protects', id)
  if (agent.readsUntrusted) building.relation(content, 'feeds_content', id)
  for (const tool of agent.tools) addTool(building, { agent, id, tool })
  for (const { provider, model } of agent.models) {
    const name = `model/${provider}/${model}`
    building.asset('model', name, `${model} (${provider})`, {})
    building.relation(name, 'trusts', id)
    if (provider !== '*') building.relation(`provider/${provider}`, 'admin_of', name)
  }
  for (const destination of agent.destinations) {
    building.asset('external', `destination/${destination}`, destination, { exposure: 'internet' })
    building.relation(id, 'egress_to', `destination/${destination}`)
  }
}

interface ToolOf {
  readonly agent: PlatformAgent
  /** Of the agent's asset. */
  readonly id: string
  readonly tool: PlatformAgent['tools'][number]
}

/** A tool in the hands of one agent: two agents with the same tool reach different data. */
function addTool(building: Building, { agent, id, tool: { server, tool, capability } }: ToolOf): void {
  const name = `tool/${agent.id}/${server}/${tool}`
  const properties = [{ name: 'capability', value: capability }]
  building.asset('tool', name, `${tool} (${server}) of ${agent.name}`, { properties })
  building.relation(id, 'invokes_tool', name)
  if (server !== 'local' && server !== '*') {
    building.asset('mcp_server', `mcp/${server}`, server, {})
    building.relation(`mcp/${server}`, 'serves_tool', name)
  }
  if (sending.has(capability)) building.relation(name, 'egress_to', internet)
  for (const dataClass of agent.dataClasses) {
    const known = dataClasses.find((one) => one === dataClass)
    if (known === undefined || known === 'public') continue
    const data = `data/${known}`
    const level = levels[known] ?? 3
    building.asset('data_store', data, `Data of agents: ${known}`, {
      ...{ criticality: level, data_classes: [known], crown_jewel: level >= 4 },
    })
    building.relation(name, capability === 'write_internal' || capability === 'destructive' ? 'writes' : 'reads', data)
  }
}

function addProviders(building: Building, { providers, agents }: PlatformFacts): void {
  const named = agents.flatMap(({ models }) => models.map(({ provider }) => provider)).filter((name) => name !== '*')
  for (const name of new Set([...providers.filter(({ offline }) => !offline).map((one) => one.name), ...named])) {
    building.asset('service', `provider/${name}`, `Provider ${name}`, { exposure: 'partner' })
    building.relation(internet, 'trusts', `provider/${name}`)
  }
}

/** Keys of service accounts: those of an agent lead to the agent. */
function addAccounts(building: Building, { accounts }: PlatformFacts, agents: ReadonlySet<string>): void {
  for (const { id, name, keys } of accounts) {
    if (keys === 0) continue
    const secret = `keys/${id}`
    building.asset('secret', secret, `${keys} API keys of ${name === '' ? id : name}`, {})
    building.relation(internet, 'contains_secret', secret)
    if (agents.has(id)) building.relation(secret, 'authenticates_as', `agent/${id}`)
    else {
      building.asset('identity', `account/${id}`, name, {})
      building.relation(secret, 'authenticates_as', `account/${id}`)
    }
  }
}

/** People who administer, and the role by which they reach every agent. */
function addAdministrators(
  building: Building,
  { administrators }: PlatformFacts,
  agents: readonly PlatformAgent[],
): void {
  if (administrators.length === 0) return
  const role = 'role/administration'
  building.asset('role', role, 'Administration of Parapet', { criticality: 5 })
  for (const { id, secondFactor, roles } of administrators) {
    const control = { control_id: 'second_factor', efficacy: factorEfficacy, coverage: 1, techniques: ['T1078'] }
    building.asset(
      'identity',
      `user/${id}`,
      `${roles.slice(0, 3).join(', ')} ${id.slice(0, 8)}`,
      { criticality: 5, owner_id: id },
      { controls: secondFactor ? [control] : [] },
    )
    building.relation(internet, 'authenticates_as', `user/${id}`)
    building.relation(`user/${id}`, 'admin_of', role)
  }
  for (const { id } of agents) building.relation(role, 'admin_of', `agent/${id}`)
}
