/** The kernel's side of the ports: those it defines, for itself and for modules, and the fillings it has itself. */
import { gatePort } from '../access/gate.ts'
import { identityPort } from '../auth/port.ts'
import { storageLimitPort } from '../blobs/storage-limits.ts'
import { factsPort } from '../facts/facts.ts'
import { healthPort, tenantHealthPort } from '../health/checks.ts'
import type { Kernel } from '../kernel.ts'
import type { PortFilling } from '../module/ports/port.ts'
import { createPorts, type Ports } from '../module/ports/ports.ts'
import { checkpointMadePort, jobCancelledPort, jobDiedPort } from '../notices/notices.ts'
import { settingValuesPort } from '../settings/settings.ts'
import type { AssembleInput } from './core.ts'

/** The name under which the kernel fills and needs ports. */
export const kernelName = 'kernel'

const defined = [
  identityPort,
  settingValuesPort,
  storageLimitPort,
  gatePort,
  healthPort,
  tenantHealthPort,
  factsPort,
  jobDiedPort,
  jobCancelledPort,
  checkpointMadePort,
]

/** @throws TypeError where what modules need and fill does not match */
export function portsOf(input: AssembleInput, own: readonly PortFilling<Kernel>[]): Ports {
  const fills = [...own, ...(input.fills ?? [])] as readonly PortFilling<unknown>[]
  return createPorts([{ name: kernelName, needs: defined, fills }, ...input.modules])
}
