import type { Permission } from '../../kernel/auth/permissions.ts'
import type { Tx } from '../../kernel/db/port.ts'
import { defineApi } from '../../kernel/module.ts'

/** What other modules may ask about people. */
export interface IamApi {
  /** How many people who can sign in now have the permission in the transaction's tenant. */
  countHolders(tx: Tx, permission: Permission): Promise<number>
}

export const iamApi = defineApi<IamApi>('iam')
