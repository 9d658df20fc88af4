import Type from 'typebox'
import { defineSetting } from '../../../kernel/settings/define.ts'

export const strictConsent = defineSetting({
  key: 'data_gov.strict_consent',
  schema: Type.Boolean(),
  default: false,
  scope: 'both',
  description:
    'Reads the consent of the data subject anew for every model call, so that a withdrawal counts on all instances at once instead of within a second.',
})
