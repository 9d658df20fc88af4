import { apiErrors, authErrors } from '../../kernel/errors/errors.ts'
import { scopeOf } from '../../kernel/module/request-scope.ts'
import { routesOf, Versioned } from '../../kernel/module/route.ts'
import { pull } from './door.ts'
import { errors } from './errors/errors.ts'
import { listKillSwitches } from './kill-switches.ts'
import {
  ActivateKillSwitch,
  DeactivateKillSwitch,
  KillSwitchQuery,
  KillSwitchView,
  killSwitchView,
  ListedKillSwitch,
} from './schemas.ts'
import type { AegisServices } from './service.ts'
import { killSwitches } from './tables.ts'

const route = routesOf<AegisServices>()

export const killSwitchRoutes = [
  route.get('/kill-switches', {
    permission: 'aegis:read',
    summary: 'List kill switches with how far each got',
    description: 'All of them by default, those of every door.',
    query: KillSwitchQuery,
    returns: [200, ListedKillSwitch],
    list: { table: killSwitches, default: '-created_at' },
    handler: async ({ tx, page, query: { status = 'any', ...query } }) => {
      const found = await listKillSwitches(tx, page, { status, ...query })
      return { ...found, items: found.items.map((row) => new Versioned(killSwitchView(row), row.version)) }
    },
  }),
  route.post('/kill-switches', {
    permission: 'aegis:admin',
    rateClass: 'stop',
    summary: 'Stop an agent, a user, a tool, a server, a model or everything',
    description:
      'It counts on this instance before the answer and elsewhere within a second; `propagation` tells how far it got within two seconds. `hard`, the default, also aborts running calls and expires the approvals of what it stops; of the scopes `agent`, `agents_by_tag` and `user` it quarantines the agents and ends their credentials. `block_new` lets running calls end. A scope that nothing enforces is refused.',
    body: ActivateKillSwitch,
    returns: [201, KillSwitchView],
    audit: 'kill_switch.activate',
    ownTransactions: true,
    errors: [authErrors.forbidden, apiErrors.validation, errors.exists, errors.notEnforced],
    handler: async (context) => {
      const row = await pull(context.services, scopeOf(context), context.actor, context.body)
      return new Versioned(killSwitchView(row), row.version)
    },
  }),
  route.post('/kill-switches/{kill_switch_id}/deactivate', {
    permission: 'aegis:admin',
    rateClass: 'stop',
    summary: 'End a kill switch',
    description: 'For the scope `tenant` a second person repeats the call with the `confirm_token`.',
    body: DeactivateKillSwitch,
    returns: [200, KillSwitchView],
    audit: 'kill_switch.deactivate',
    ownTransactions: true,
    errors: [
      apiErrors.notFound,
      apiErrors.preconditionFailed,
      authErrors.forbidden,
      errors.illegalMove,
      errors.secondPerson,
    ],
    handler: async (context) => {
      const row = await context.services.api.deactivateKillSwitch(scopeOf(context), context.actor, {
        ...{ id: context.params.kill_switch_id, reason: context.body.reason, permission: 'aegis:admin' },
        ...{ call: context.repeatable, precondition: context.precondition, also: async () => {} },
      })
      return new Versioned(killSwitchView(row), row.version)
    },
  }),
]
