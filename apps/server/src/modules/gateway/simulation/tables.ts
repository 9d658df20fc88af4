import { table } from '../../../kernel/db/table.ts'
import { SimulationRow } from './schema.ts'

/** That a document was tried, and what came of it; never the calls it was tried on. */
export const simulations = table({
  name: 'gateway_simulation',
  row: SimulationRow,
  noun: 'simulation',
  data: { category: 'configuration', subject: ['user_id'], retention: 'tenant', erasure: 'keep_pseudonymous' },
})
