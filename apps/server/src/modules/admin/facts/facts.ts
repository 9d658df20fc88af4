/** Facts that other modules may read of the installation's administration by name. Tested in facts.test.ts. */
import { auditChainFact } from './audit-chain.ts'
import { backupsFact } from './backups.ts'
import { dataKeysFact } from './data-keys.ts'
import { settingsFact } from './settings.ts'

export const adminFacts = [auditChainFact, backupsFact, settingsFact, dataKeysFact]
