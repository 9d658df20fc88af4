/**
 * AEGIS, as far as it is built: the one kill-switch table of the platform and its rules. Promises that an activation
 * counts here before it is answered and elsewhere within a second; has no routes of its own yet, the gateway's door
 * uses `api.ts`. Tested in kill-list.test.ts and through the gateway's routes.
 */
import { defineModule } from '../../kernel/module/module.ts'
import { iamApi } from '../iam/api.ts'
import type { AegisApi } from './api.ts'
import { errors } from './errors.ts'
import { killSwitchActivated, killSwitchDeactivated } from './events.ts'
import { expireOver, someSwitchesOver } from './kill-switches.ts'
import { killSwitchMigration } from './migrations/0001-kill-switches.ts'
import { instancesMigration } from './migrations/0002-instances.ts'
import { type AegisServices, createAegis } from './service.ts'
import { aegisSignals } from './signals.ts'
import { instances, killSwitches } from './tables.ts'

export default defineModule<AegisServices, AegisApi>({
  name: 'aegis',
  uses: ['iam'],
  prefix: 'aegis',
  errors,
  tables: [killSwitches, instances],
  migrations: [killSwitchMigration, instancesMigration],
  routes: [],
  emits: [killSwitchActivated, killSwitchDeactivated],
  jobs: [
    {
      kind: 'aegis.kill_switch.expire',
      maxAttempts: 3,
      leaseMs: 30_000,
      everyMs: 60_000,
      due: someSwitchesOver,
      run: ({ tenantId, services }) => expireOver(services.parts, tenantId),
    },
  ],
  services: (kernel, use) => {
    const iam = use(iamApi)
    return createAegis(kernel, (tx, actor) => iam.countSecondPeople(tx, actor, 'gateway:admin'))
  },
  api: (services) => services.api,
  activities: (services) => [services.lease],
  signals: (_services, tx, at) => aegisSignals(tx, at),
})
