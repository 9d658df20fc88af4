import Type from 'typebox'
import { defineSetting } from '../../../kernel/settings/define.ts'

/** New paths above it are told of. */
export const pathThreshold = defineSetting({
  key: 'cybertwins.path_threshold',
  schema: Type.Number({ minimum: 0, maximum: 1 }),
  default: 0.05,
  scope: 'tenant',
  description: 'Probability from which on a new attack path to a crown jewel is told of (cybertwins.path.discovered)',
})
