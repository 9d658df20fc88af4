/** Alerts about agents that use what their registration does not name. Tested in agent-alerts.test.ts. */
import type { Tx } from '../../../kernel/db/port.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { allows, type SeenUse } from '../agents/declaration.ts'
import type { AgentRow } from '../agents/schema.ts'
import { openAlert } from '../alerts/open-alert.ts'

/** Uses that one alert tells of at a time. */
const mostTold = 20

const nouns: Readonly<Record<SeenUse['kind'], string>> = {
  ...{ tool: 'tool', model: 'model', destination: 'destination', data_class: 'data class' },
}

/**
 * Opens an alert for uses that were never seen before, or counts them in the agent's open one.
 * @returns whether one of them is undeclared
 */
export async function tellOfDrift(
  kernel: Pick<Kernel, 'clock' | 'random'>,
  tx: Tx,
  { agent, uses, at }: { readonly agent: AgentRow; readonly uses: readonly SeenUse[]; readonly at: string },
): Promise<boolean> {
  const undeclared = uses.filter((use) => !allows(agent, use))
  if (undeclared.length === 0) return false
  await openAlert(kernel, tx, {
    rule: 'agent_drift',
    groupBy: { agent_id: agent.id },
    title: `${agent.name} uses more than it declares`,
    entities: [{ type: 'agent', id: agent.id, name: agent.name }],
    evidence: undeclared.slice(0, mostTold).map(({ kind, name }) => ({
      ...{ id: `${agent.id}:${kind}:${name}`.slice(0, 128), source: 'aegis.agent_use', at, request_id: null },
      summary: `The ${nouns[kind]} ${name} is not declared`.slice(0, 256),
    })),
    count: undeclared.length,
  })
  return true
}
