/**
 * The gateway: every model call of a tenant goes through its fourteen steps. No call is answered before its outcome is
 * stored, nothing that a policy hides reaches a provider, and no hard budget is overspent. Tested beside each file and
 * through its routes in chat.test.ts and its siblings.
 */
import { defineModule } from '../../kernel/module/module.ts'
import { aegisApi } from '../aegis/api.ts'
import { iamApi } from '../iam/api.ts'
import type { GatewayApi } from './api.ts'
import { checkAudit, someCallsUnchecked } from './audit-checks/audit-check.ts'
import { watchAudit } from './audit-checks/audit-faults.ts'
import { watchBudgets } from './budgets/alarm-handler.ts'
import { budgetRoutes } from './budgets/budgets.routes.ts'
import { someHoldsOver, sweepHolds } from './budgets/sweep.ts'
import { cacheRoutes } from './cache/cache.routes.ts'
import { someAnswersOver, sweepCache, sweepEveryMs } from './cache/kept/trim.ts'
import { errors } from './declared/errors.ts'
import { detection } from './detection/detectors.ts'
import { scanTexts } from './detection/scan-texts.ts'
import { anthropicRoutes } from './endpoints/anthropic.routes.ts'
import { chatRoutes } from './endpoints/chat.routes.ts'
import { openAiRoutes } from './endpoints/openai.routes.ts'
import { gatewayEvents } from './events.ts'
import { someExportsOver, sweepExports } from './exports/expiry.ts'
import { exportRoutes } from './exports/exports.routes.ts'
import { exportJob } from './exports/exports.ts'
import { mostAttempts, runExport } from './exports/run-export.ts'
import { gatewayFacts } from './facts/facts.ts'
import { feedbackRoutes } from './feedback/feedback.routes.ts'
import { gatewayFillings } from './fillings.ts'
import { inProcess } from './in-process/functions.ts'
import { hideAnswer } from './inspection/hide-task.ts'
import { killSwitchRoutes } from './kill-switches/kill-switches.routes.ts'
import { gatewayMigrations } from './migrations/migrations.ts'
import { modelRoutes } from './models/models.routes.ts'
import { inspectAnswer } from './pipeline/answers/inspect-task.ts'
import { policyRoutes } from './policies/policies.routes.ts'
import { seedBaseline } from './policies/policies.ts'
import { inputGuardPort, outputGuardPort } from './ports/call-guards.ts'
import { removeExpiredContent, someContentExpired } from './records/expiry.ts'
import { someCallsOver, sweepLostCalls } from './records/sweeper.ts'
import { shredOldKeys, someKeysOver } from './registered-providers/provider-rotation.ts'
import { providerRoutes } from './registered-providers/providers.routes.ts'
import { seedDemoProvider } from './registered-providers/providers.ts'
import { replayRoutes } from './replay/replay.routes.ts'
import { requestRoutes } from './request-log/resource/requests.routes.ts'
import { removeCallsBySetting } from './retention/log-retention.ts'
import { logRetentionDays } from './retention/settings.ts'
import { routeRoutes } from './routes/routes.routes.ts'
import { createGateway, type GatewayServices } from './services.ts'
import { gatewaySignals } from './signals.ts'
import { simulateCalls } from './simulation/simulate-task.ts'
import { simulationRoutes } from './simulation/simulation.routes.ts'
import { gatewayTables } from './tables.ts'
import { countTokens } from './tokens/count-task.ts'
import { countCalls } from './usage/rollup.ts'
import { usageRoutes } from './usage/usage.routes.ts'
import { shredExpired, someValuesExpired } from './vault/shredding.ts'
import { vaultRoutes } from './vault/vault.routes.ts'

export default defineModule<GatewayServices, GatewayApi>({
  name: 'gateway',
  uses: ['iam', 'aegis'],
  needs: [inputGuardPort, outputGuardPort],
  fills: gatewayFillings,
  prefix: 'gateway',
  errors,
  tables: gatewayTables,
  migrations: gatewayMigrations,
  sealed: [
    { table: 'gateway_provider_secret', column: 'ciphertext' },
    {
      table: 'gateway_request_payload',
      column: 'sealed',
      address: { table: 'gateway_request', column: 'payload' },
    },
    { table: 'gateway_request_payload', column: 'original' },
    { table: 'gateway_vault', column: 'wrapped_key' },
    { table: 'gateway_cache_entry', column: 'sealed' },
    { table: 'gateway_cache_entry', column: 'sealed_vector' },
  ],
  routes: [
    ...chatRoutes,
    ...openAiRoutes,
    ...anthropicRoutes,
    ...providerRoutes,
    ...routeRoutes,
    ...policyRoutes,
    ...simulationRoutes,
    ...budgetRoutes,
    ...usageRoutes,
    ...modelRoutes,
    ...requestRoutes,
    ...exportRoutes,
    ...feedbackRoutes,
    ...vaultRoutes,
    ...replayRoutes,
    ...killSwitchRoutes,
    ...cacheRoutes,
  ],
  emits: gatewayEvents,
  handles: [countCalls, watchBudgets, watchAudit],
  settings: [logRetentionDays],
  jobs: [
    {
      kind: 'gateway.requests.sweep',
      maxAttempts: 3,
      leaseMs: 60_000,
      everyMs: 60_000,
      due: someCallsOver,
      run: ({ tenantId, services }) => sweepLostCalls(services.kernel, tenantId),
    },
    {
      kind: 'gateway.budgets.sweep',
      maxAttempts: 3,
      leaseMs: 60_000,
      everyMs: 60_000,
      due: someHoldsOver,
      run: ({ tenantId, services }) => sweepHolds(services.kernel, tenantId),
    },
    {
      kind: 'gateway.content.expire',
      maxAttempts: 3,
      leaseMs: 120_000,
      everyMs: 3_600_000,
      due: someContentExpired,
      run: ({ tenantId, services }) => removeExpiredContent(services.kernel, tenantId),
    },
    {
      kind: 'gateway.requests.remove',
      maxAttempts: 3,
      leaseMs: 120_000,
      everyMs: 86_400_000,
      run: ({ tenantId, services, signal }) => removeCallsBySetting(services, tenantId, signal),
    },
    {
      kind: exportJob,
      lane: 'long',
      maxAttempts: mostAttempts,
      leaseMs: 60_000,
      everyMs: null,
      run: ({ services, ...run }) => runExport(services.kernel, run),
    },
    {
      kind: 'gateway.exports.sweep',
      maxAttempts: 3,
      leaseMs: 120_000,
      everyMs: 300_000,
      due: someExportsOver,
      run: ({ tenantId, services }) => sweepExports(services.kernel, tenantId),
    },
    {
      kind: 'gateway.vault.shred',
      maxAttempts: 3,
      leaseMs: 120_000,
      everyMs: 300_000,
      due: someValuesExpired,
      run: ({ tenantId, services }) => shredExpired(services.kernel, tenantId),
    },
    {
      kind: 'gateway.cache.sweep',
      maxAttempts: 3,
      leaseMs: 120_000,
      everyMs: sweepEveryMs,
      due: someAnswersOver,
      run: ({ tenantId, services }) => sweepCache(services.kernel, tenantId),
    },
    {
      kind: 'gateway.keys.shred',
      maxAttempts: 3,
      leaseMs: 60_000,
      everyMs: 300_000,
      due: someKeysOver,
      run: ({ tenantId, services }) => shredOldKeys(services.kernel, tenantId),
    },
    {
      kind: 'gateway.audit.check',
      maxAttempts: 3,
      leaseMs: 120_000,
      everyMs: 300_000,
      due: someCallsUnchecked,
      run: ({ tenantId, services }) => checkAudit(services.kernel, tenantId),
    },
  ],
  tasks: [scanTexts, hideAnswer, inspectAnswer, countTokens, simulateCalls],
  services: (kernel, use, need) =>
    createGateway(kernel, {
      aegis: use(aegisApi),
      iam: use(iamApi),
      guards: { input: need(inputGuardPort), output: need(outputGuardPort) },
    }),
  activities: (services) => [
    services.parts.recorder.spool,
    services.recording,
    detection,
    services.classifiers.opening,
  ],
  api: inProcess,
  facts: gatewayFacts,
  signals: (_services, tx, at) => gatewaySignals(tx, at),
  seed: async ({ kernel }, tx) => {
    await seedDemoProvider(kernel, tx)
    await seedBaseline(kernel, tx)
  },
})
