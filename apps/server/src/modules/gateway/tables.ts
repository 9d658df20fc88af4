import { moneyTables } from './budgets/tables.ts'
import { cacheTables } from './cache/kept/tables.ts'
import { requestExports } from './exports/tables.ts'
import { feedbacks } from './feedback/tables.ts'
import { policies, policyVersions } from './policies/tables.ts'
import { requestPayloads } from './records/tables.ts'
import { logRetention } from './retention/tables.ts'
import { routes } from './route-model/tables.ts'
import {
  auditChecks,
  modelAliases,
  models,
  providerSecrets,
  providers,
  requestIntents,
  requests,
  sweepPositions,
  usageHours,
} from './schemas/tables.ts'
import { simulations } from './simulation/tables.ts'
import { vaults } from './vault/sealed/tables.ts'

export const gatewayTables = [
  simulations,
  providers,
  providerSecrets,
  models,
  modelAliases,
  routes,
  policies,
  policyVersions,
  requestIntents,
  requests,
  requestPayloads,
  feedbacks,
  vaults,
  requestExports,
  logRetention,
  sweepPositions,
  auditChecks,
  usageHours,
  ...moneyTables,
  ...cacheTables,
] as const
