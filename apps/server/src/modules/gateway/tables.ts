import { cacheTables } from './cache/kept/tables.ts'
import { moneyTables } from './budgets/tables.ts'
import { providers, providerSecrets, models, modelAliases, requestIntents, requests, sweepPositions, auditChecks, usageHours } from './schemas/tables.ts'
import { policies, policyVersions } from './policies/tables.ts'
import { requestExports } from './exports/tables.ts'
import { feedbacks } from './feedback/tables.ts'
import { requestPayloads } from './records/tables.ts'
import { logRetention } from './retention/tables.ts'
import { routes } from './route-model/tables.ts'
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
