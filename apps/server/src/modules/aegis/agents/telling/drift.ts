/** Opens the alert about uses that an agent's registration does not name. Tested in ../drift.test.ts. */
import type { Tx } from '../../../../kernel/db/port.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import { openAlert } from '../../alerts/open-alert.ts'
import type { SeenUse } from '../declaration.ts'
import type { AgentRow } from '../schema.ts'

const mostNamed = 50
const longest = 300

const nouns: Readonly<Record<SeenUse['kind'], string>> = {
  ...{ tool: 'tool', model: 'model', destination: 'destination', data_class: 'data class' },
}

/** @param uses seen for the first time and not allowed by the declaration */
export async function tellDrift(
  kernel: Pick<Kernel, 'clock' | 'random'>,
  tx: Tx,
  { agent, uses }: { readonly agent: AgentRow; readonly uses: readonly SeenUse[] },
): Promise<void> {
  if (uses.length === 0) return
  const at = kernel.clock.iso()
  await openAlert(kernel, tx, {
    rule: 'agent_drift',
    groupBy: { agent_id: agent.id },
    title: `${agent.name} uses more than it declares`,
    entities: [{ type: 'agent', id: agent.id, name: agent.name }],
    evidence: uses.slice(0, mostNamed).map(({ kind, name }) => ({
      ...{ id: `${kind}:${name}`.slice(0, 128), source: 'aegis.agent_use', at, request_id: null },
      summary: `Undeclared ${nouns[kind]}: ${name}`.slice(0, longest),
    })),
    count: uses.length,
  })
}
