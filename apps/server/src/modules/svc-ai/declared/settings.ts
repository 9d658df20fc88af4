import Type from 'typebox'
import { defineSetting } from '../../../kernel/settings/define.ts'

export const minGroundedness = defineSetting({
  key: 'svc_ai.min_groundedness',
  schema: Type.Number({ minimum: 0, maximum: 1 }),
  default: 0.35,
  scope: 'both',
  description: 'Least groundedness, 0 to 1, of an answer from knowledge sources; less is answered as not found',
})

export const indexMemory = defineSetting({
  key: 'svc_ai.index_memory_mb',
  schema: Type.Integer({ minimum: 16, maximum: 65_536 }),
  default: 256,
  scope: 'platform',
  description: 'Mebibytes that each instance keeps of the indexes of knowledge sources, least used first to go',
})

export const vectorMemory = defineSetting({
  key: 'svc_ai.vector_memory_mb',
  schema: Type.Integer({ minimum: 16, maximum: 65_536 }),
  default: 512,
  scope: 'platform',
  description: 'Mebibytes that each instance keeps of the vectors of knowledge sources, least used first to go',
})
