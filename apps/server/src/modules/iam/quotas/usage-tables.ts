import { postures } from '../posture/tables.ts'
import { apiKeyDays } from '../tables/api-keys.ts'
import { userCounts } from './user-counts.ts'

/** What is counted and measured of accounts and keys. */
export const usageTables = [apiKeyDays, postures, userCounts] as const
