/** Reads the data of facts by member. A member that another module no longer gives counts as missing. Pure. */
import { isRecord } from '../../../kernel/base/is-record.ts'

type Data = Readonly<Record<string, unknown>> | null

const listOf = (data: unknown, name: string): readonly Readonly<Record<string, unknown>>[] => {
  const list = isRecord(data) ? data[name] : undefined
  return Array.isArray(list) ? list.filter(isRecord) : []
}
const textOf = (data: Readonly<Record<string, unknown>>, name: string): string => {
  const value = data[name]
  return typeof value === 'string' ? value : ''
}
const numberOf = (data: Readonly<Record<string, unknown>>, name: string): number => {
  const value = data[name]
  return typeof value === 'number' ? value : 0
}
const textsOf = (data: Readonly<Record<string, unknown>>, name: string): readonly string[] => {
  const value = data[name]
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
}

export interface PlatformAgent {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly environment: string
  readonly riskTier: number
  readonly ownerId: string
  readonly dataClasses: readonly string[]
  readonly readsUntrusted: boolean
  readonly destinations: readonly string[]
  readonly tools: readonly { readonly server: string; readonly tool: string; readonly capability: string }[]
  readonly models: readonly { readonly provider: string; readonly model: string }[]
}

export const readAgents = (data: Data): readonly PlatformAgent[] =>
  listOf(data, 'agents').map((agent) => ({
    ...{ id: textOf(agent, 'id'), name: textOf(agent, 'name'), status: textOf(agent, 'status') },
    ...{ environment: textOf(agent, 'environment'), riskTier: numberOf(agent, 'risk_tier') },
    ...{ ownerId: textOf(agent, 'owner_user_id'), dataClasses: textsOf(agent, 'data_classes') },
    ...{ readsUntrusted: agent.untrusted_input === true, destinations: textsOf(agent, 'destinations') },
    tools: listOf(agent, 'tools').map((tool) => ({
      ...{ server: textOf(tool, 'server_slug'), tool: textOf(tool, 'tool'), capability: textOf(tool, 'capability') },
    })),
    models: listOf(agent, 'models').map((model) => ({
      ...{ provider: textOf(model, 'provider'), model: textOf(model, 'model') },
    })),
  }))

/** Attacks that the gateway saw in calls, by step of its pipeline and agent. */
export interface SeenAttacks {
  readonly step: string
  readonly agentId: string | null
  readonly blocked: number
  readonly passed: number
}

export interface Attacks {
  readonly from: string
  readonly to: string
  readonly seen: readonly SeenAttacks[]
}

/** @param to end of the window, ISO 8601 */
export const readAttacks = (data: Data, to: string): Attacks => ({
  ...{ from: data === null ? '' : textOf(data, 'from'), to },
  seen: listOf(data, 'attacks').map((one) => ({
    ...{ step: textOf(one, 'step'), agentId: textOf(one, 'agent_id') || null },
    ...{ blocked: numberOf(one, 'blocked'), passed: numberOf(one, 'passed') },
  })),
})

export const readProviders = (data: Data): readonly { readonly name: string; readonly offline: boolean }[] =>
  listOf(data, 'providers').map((provider) => ({ name: textOf(provider, 'name'), offline: provider.offline === true }))

export const readKeys = (
  data: Data,
): readonly { readonly id: string; readonly name: string; readonly keys: number }[] =>
  listOf(data, 'agents').map((account) => ({
    ...{ id: textOf(account, 'id'), name: textOf(account, 'name'), keys: numberOf(account, 'keys') },
  }))

export const readPrivileged = (
  data: Data,
): readonly { readonly id: string; readonly secondFactor: boolean; readonly roles: readonly string[] }[] =>
  listOf(data, 'accounts').map((account) => ({
    ...{
      id: textOf(account, 'user_id'),
      secondFactor: account.second_factor === true,
      roles: textsOf(account, 'roles'),
    },
  }))
