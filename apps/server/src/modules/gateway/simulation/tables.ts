import { table } from '../../../kernel/db/table.ts'
import { SimulationRow } from './schema.ts'

/** Simulations of a document and their results; never the calls they ran on. */
export const simulations = table({
  name: 'gateway_simulation',
  row: SimulationRow,
  noun: 'simulation',
  data: { category: 'configuration', subject: ['user_id'], retention: 'tenant', erasure: 'keep_pseudonymous' },
})
