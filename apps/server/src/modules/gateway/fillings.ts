/** The ports of the kernel and of identity that this module fills. */
import { healthPort, tenantHealthPort } from '../../kernel/health/checks.ts'
import { fill, type PortFilling } from '../../kernel/module/ports/port.ts'
import { enforcedScopesPort, type KillSwitchScope } from '../aegis/ports/enforced-scopes.ts'
import { killTargetsPort } from '../aegis/ports/kill-targets.ts'
import { tokensTodayPort } from '../iam/ports/ports.ts'
import { breakerCheck, providerCheck } from './health/health-checks.ts'
import { missingOf } from './kill-switches/kill-switches.ts'
import type { GatewayServices } from './services/gateway-services.ts'

/** Scopes for which `killSubject` reports a value of a call. */
const enforcedScopes: readonly KillSwitchScope[] = ['provider', 'model', 'route', 'key', 'user', 'agent', 'tool']

export const gatewayFillings: readonly PortFilling<GatewayServices>[] = [
  fill(enforcedScopesPort, () => enforcedScopes),
  fill(killTargetsPort, (services: GatewayServices) => ({
    scopes: ['provider', 'model', 'route', 'key', 'user', 'agent'],
    missing: (named) => missingOf(services, named),
  })),
  fill(tokensTodayPort, ({ money }: GatewayServices) => money.tokens.used),
  fill(healthPort, ({ parts }: GatewayServices) => parts.recorder.spoolCheck),
  fill(healthPort, ({ parts }: GatewayServices) => breakerCheck(parts)),
  fill(tenantHealthPort, ({ parts }: GatewayServices) => providerCheck(parts)),
]
