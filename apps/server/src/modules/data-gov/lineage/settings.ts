import { oneOf } from '../../../kernel/schema/types.ts'
import { defineSetting } from '../../../kernel/settings/define.ts'
import { levels } from '../taxonomy/taxonomy.ts'

export const modelMaxLevel = defineSetting({
  key: 'data_gov.model_max_level',
  schema: oneOf(...levels),
  default: 'restricted' as const,
  scope: 'both',
  description:
    'Highest level of data that a model call may take from the datasets that it names in `metadata.datasets`, their inherited labels included. Calls above it are refused.',
})
