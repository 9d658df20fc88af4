/** The state of a live agent that an assessment is about: a material change makes another system of it. */
import type { Tx } from '../../../kernel/db/port.ts'
import { systemCaller } from '../../../kernel/facts/facts.ts'
import { FactData } from '../checks/fact-data.ts'
import type { ComplianceServices } from '../services/compliance-services.ts'

const fact = 'aegis.agent_controls'

/** Null for an agent that is not active in the registry. */
export async function agentDigest({ facts }: ComplianceServices, tx: Tx, id: string): Promise<string | null> {
  if (!facts().all.has(fact)) return null
  const { data } = await facts().read(tx, fact, { caller: systemCaller })
  const agent = new FactData(fact, data).list('items').find((one) => one.text('id') === id)
  return agent?.text('material_sha256') ?? null
}
