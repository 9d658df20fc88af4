import Type from 'typebox'
import { defineSetting } from '../../../kernel/settings/define.ts'

export const approvalRows = defineSetting({
  key: 'data_gov.approval_rows',
  schema: Type.Integer({ minimum: 0, maximum: 1_000_000_000 }),
  default: 1_000,
  scope: 'tenant',
  description:
    'Rows above which a retention run waits for the approval of a second person. Erasures of people always wait for it.',
})
