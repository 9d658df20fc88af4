import type { SecretFormat } from '../base/format.ts'
import { aiFormats } from './ai.ts'
import { businessFormats, chatFormats } from './business.ts'
import { cloudFormats } from './cloud.ts'
import { codeHostFormats } from './code-hosts.ts'

/** Every credential that is known by its own shape. */
export const secretFormats: readonly SecretFormat[] = [
  ...aiFormats,
  ...cloudFormats,
  ...codeHostFormats,
  ...businessFormats,
  ...chatFormats,
]
