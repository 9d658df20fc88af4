import type { TenantId } from '../../src/kernel/access/actor.ts'
import { createFacts, type FactReading, systemCaller } from '../../src/kernel/facts/facts.ts'
import type { World } from './world.ts'

/** Reads a fact of a tenant as a job does, in a transaction that can write nothing. */
export function readFact(
  { program, kernel }: Pick<World, 'program' | 'kernel'>,
  tenantId: TenantId,
  name: string,
  query: Readonly<Record<string, unknown>> = {},
): Promise<FactReading['data']> {
  const facts = createFacts(kernel.clock, program.assembled.modules.facts)
  return kernel.db.tenant({ tenantId, readOnly: true }, async (tx) => {
    const { data } = await facts.read(tx, name, { caller: systemCaller, query })
    return data
  })
}
