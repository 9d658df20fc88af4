import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { routesOf, Versioned } from '../../../kernel/module/route.ts'
import { aegisErrors, killSwitchTable } from '../../aegis/api.ts'
import { errors } from '../declared/errors.ts'
import {
  ActivateKillSwitch,
  DeactivateKillSwitch,
  KillSwitch,
  KillSwitchFilter,
  ListedKillSwitch,
} from '../schemas/kill-switch.ts'
import type { GatewayServices } from '../services/gateway-services.ts'
import { activateKillSwitch, deactivateKillSwitch, listKillSwitches } from './kill-switches.ts'

const route = routesOf<GatewayServices>()

export const killSwitchRoutes = [
  route.get('/kill-switches', {
    permission: 'gateway:read',
    summary: 'List kill switches',
    description: 'Active ones by default; `status=any` lists history too.',
    query: KillSwitchFilter,
    returns: [200, ListedKillSwitch],
    list: { table: killSwitchTable, default: '-created_at' },
    handler: ({ tx, page, query, services }) => listKillSwitches(services.aegis, tx, page, query),
  }),
  route.post('/kill-switches', {
    permission: 'gateway:admin',
    rateClass: 'stop',
    summary: 'Stop model calls',
    body: ActivateKillSwitch,
    returns: [201, KillSwitch],
    audit: 'kill_switch.activate',
    ownTransactions: true,
    errors: [authErrors.forbidden, errors.killSwitchConflict, errors.unknownTarget, aegisErrors.notEnforced],
    handler: async (context) =>
      new Versioned(await activateKillSwitch(context.services, scopeOf(context), context.actor, context.body), 1),
  }),
  route.post('/kill-switches/{kill_switch_id}/deactivate', {
    permission: 'gateway:admin',
    rateClass: 'stop',
    summary: 'Let model calls go on',
    description: 'For the scope `tenant` a second person repeats the call with the `confirm_token`.',
    body: DeactivateKillSwitch,
    returns: [200, KillSwitch],
    audit: 'kill_switch.deactivate',
    ownTransactions: true,
    errors: [
      apiErrors.notFound,
      apiErrors.preconditionFailed,
      authErrors.forbidden,
      errors.killSwitchConflict,
      aegisErrors.secondPerson,
    ],
    handler: (context) =>
      deactivateKillSwitch(context.services, scopeOf(context), context.actor, {
        id: context.params.kill_switch_id,
        input: context.body,
        precondition: context.precondition,
        repeatable: context.repeatable,
      }),
  }),
]
