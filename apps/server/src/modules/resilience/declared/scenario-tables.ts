import { table } from '../../../kernel/db/table.ts'
import { resource } from '../../../kernel/resource/resource.ts'
import { errors } from '../errors/errors.ts'
import { ScenarioRow } from './scenario-schema.ts'

export const scenarios = table({
  name: 'resilience_scenario',
  noun: 'scenario',
  row: ScenarioRow,
  sorts: ['created_at', 'name'],
  dueBy: ['builtin'],
  data: {
    ...{ category: 'resilience', subject: ['changed_by', 'approved_by'] },
    ...{ retention: 'tenant', erasure: 'keep_pseudonymous' },
  },
})

export const scenarioResource = resource({
  table: scenarios,
  kind: 'resilience_scenario',
  unique: {
    resilience_scenario_name: ({ name }) =>
      errors
        .scenarioInvalid({ what: `There is a scenario named "${name}" already.` })
        .at([{ detail: 'Choose another name.', pointer: '/name' }]),
  },
})
