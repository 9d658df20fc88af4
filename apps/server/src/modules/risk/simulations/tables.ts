import { table } from '../../../kernel/db/table.ts'
import { SimulationRow } from './schema.ts'

export const simulations = table({
  name: 'risk_simulation',
  noun: 'simulation',
  row: SimulationRow,
  data: { category: 'risk', subject: ['created_by'], retention: 'tenant', erasure: 'keep_pseudonymous' },
})
