import { table } from '../../../kernel/db/table.ts'
import { SimulationRow } from './simulation-schema.ts'

export const simulations = table({
  name: 'resilience_simulation',
  noun: 'simulation',
  row: SimulationRow,
  data: { category: 'resilience', subject: ['created_by'], retention: 'tenant', erasure: 'keep_pseudonymous' },
})
