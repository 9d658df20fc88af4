/**
 * Takes uses that were seen in an agent's traffic into its declaration. Promises that nothing is accepted that was not
 * seen, and that a tool is never declared weaker than its labels say; the changed declaration is reviewed by another
 * person as every change of it. Tested in drift.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { allows } from './declaration.ts'
import { capabilityWeight } from './risk-tier.ts'
import { type AcceptedUse, type Declaration, declarationBounds } from './schema.ts'
import { agentUses } from './tables.ts'
import type { Capability, DataClass } from './words.ts'

export interface Acceptance {
  readonly agentId: string
  /** As it is after all other changes of the request. */
  readonly declaration: Declaration
  readonly accepted: readonly AcceptedUse[]
}

/** @throws API-001 with the place of a use that cannot be accepted */
export async function withAccepted(tx: Tx, { agentId, declaration, accepted }: Acceptance): Promise<Declaration> {
  let wanted = declaration
  for (const [index, use] of accepted.entries()) {
    const at = `/accept_drift/${index}`
    if (!(await wasSeen(tx, agentId, use)))
      throw refusal('This was not seen in the traffic of the agent.', `${at}/name`)
    if (allows(wanted, use)) throw refusal('The declaration allows this already.', `${at}/name`)
    wanted = await withOne(tx, wanted, use, at)
  }
  for (const [name, most] of Object.entries(declarationBounds))
    if (wanted[name as keyof typeof declarationBounds].length > most)
      throw refusal(
        `An agent declares at most ${most} ${name}. Declare a pattern in the place of single names.`,
        '/accept_drift',
      )
  return wanted
}

const refusal = (detail: string, pointer: string) => apiErrors.validation({ what: detail }).at([{ detail, pointer }])

async function wasSeen(tx: Tx, agentId: string, { kind, name }: AcceptedUse): Promise<boolean> {
  const found = await tx.first(sql`
    select 1 as found from ${agentUses.from} where agent_id = ${agentId} and kind = ${kind} and name = ${name}`)
  return found !== null
}

async function withOne(tx: Tx, declaration: Declaration, use: AcceptedUse, at: string): Promise<Declaration> {
  const { kind, name, capability } = use
  if (kind !== 'tool' && capability !== undefined) throw refusal('Only a tool has a capability.', `${at}/capability`)
  if (kind === 'destination') return { ...declaration, destinations: [...declaration.destinations, name] }
  if (kind === 'data_class') return { ...declaration, data_classes: [...declaration.data_classes, name as DataClass] }
  // It would stand for more than was seen.
  if (name.includes('*')) throw refusal('A name with `*` cannot be accepted. Declare it by hand.', `${at}/name`)
  const slash = name.indexOf('/')
  const [group, item] = [name.slice(0, slash), name.slice(slash + 1)]
  if (group.length > 128 || item.length > 128)
    throw refusal('The name is longer than a declaration can hold. Declare it by a pattern.', `${at}/name`)
  if (kind === 'model') return { ...declaration, models: [...declaration.models, { provider: group, model: item }] }
  const known = strongest([...(capability === undefined ? [] : [capability]), ...(await labeled(tx, group, item))])
  if (known === null) throw refusal('The tool is not registered: say what it can do at most.', `${at}/capability`)
  return { ...declaration, tools: [...declaration.tools, { server_slug: group, tool: item, capability: known }] }
}

const strongest = (capabilities: readonly Capability[]): Capability | null =>
  capabilities.toSorted((a, b) => capabilityWeight[b] - capabilityWeight[a])[0] ?? null

const ofLabels: Readonly<Record<string, Capability>> = {
  ...{ external_send: 'external_send', code_exec: 'code_exec', payment: 'payment', destructive: 'destructive' },
  write_shared: 'write_internal',
}

/** Capabilities by the labels of a registered tool; `read` where they name none, and empty for a tool that is not registered. */
async function labeled(tx: Tx, slug: string, tool: string): Promise<readonly Capability[]> {
  const row = await tx.first(sql<{ labels: readonly string[] }>`
    select tool.labels || tool.suggested_labels as labels from aegis_mcp_tool tool
    join aegis_mcp_server server on server.id = tool.server_id
    where server.slug = ${slug} and tool.name = ${tool}`)
  return row === null ? [] : ['read', ...row.labels.flatMap((label) => ofLabels[label] ?? [])]
}
