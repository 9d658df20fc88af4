/**
 * The gateway: every model call of a tenant goes through its fourteen steps. Promises that no call is answered before
 * its outcome is stored, and that nothing a policy hides reaches a provider; does not keep prices or budgets yet.
 * Tested beside each file and through its routes in chat.test.ts and its siblings.
 */
import { defineModule } from '../../kernel/module.ts'
import { aegisApi } from '../aegis/api.ts'
import { iamApi } from '../iam/api.ts'
import { checkAudit } from './audit-check.ts'
import { chatRoutes } from './chat.routes.ts'
import { detection } from './detection/detectors.ts'
import { scanTexts } from './detection/scan-texts.ts'
import { errors } from './errors.ts'
import { gatewayEvents } from './events.ts'
import { killSwitchRoutes } from './kill-switches.routes.ts'
import { gatewayMigration } from './migrations/0001-gateway.ts'
import { explanationMigration } from './migrations/0002-explanation.ts'
import { policyRoutes } from './policies.routes.ts'
import { seedBaseline } from './policies.ts'
import { providerRoutes } from './providers.routes.ts'
import { seedDemoProvider } from './providers.ts'
import { sweepLostCalls } from './records/sweeper.ts'
import { requestRoutes } from './requests.routes.ts'
import { countCalls } from './rollup.ts'
import { createGateway, type GatewayServices } from './services.ts'
import { gatewaySignals } from './signals.ts'
import { gatewayTables } from './tables.ts'

export default defineModule<GatewayServices, undefined>({
  name: 'gateway',
  prefix: 'gateway',
  errors,
  tables: gatewayTables,
  migrations: [gatewayMigration, explanationMigration],
  routes: [...chatRoutes, ...providerRoutes, ...policyRoutes, ...requestRoutes, ...killSwitchRoutes],
  emits: gatewayEvents,
  handles: [countCalls],
  jobs: [
    {
      kind: 'gateway.requests.sweep',
      maxAttempts: 3,
      leaseMs: 60_000,
      everyMs: 60_000,
      run: ({ tenantId, services }) => sweepLostCalls(services.kernel, tenantId),
    },
    {
      kind: 'gateway.audit.check',
      maxAttempts: 3,
      leaseMs: 120_000,
      everyMs: 300_000,
      run: ({ tenantId, services }) => checkAudit(services.kernel, tenantId),
    },
  ],
  tasks: [scanTexts],
  services: (kernel, use) => createGateway(kernel, { aegis: use(aegisApi), iam: use(iamApi) }),
  activities: (services) => [services.recording, detection],
  signals: (_services, tx, at) => gatewaySignals(tx, at),
  seed: async ({ kernel }, tx) => {
    await seedDemoProvider(kernel, tx)
    await seedBaseline(kernel, tx)
  },
})
