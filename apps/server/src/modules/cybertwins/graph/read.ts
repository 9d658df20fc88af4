import type { TenantScope } from '../../../kernel/db/port.ts'
import { snapshots } from '../declared/tables.ts'
import type { TwinState } from '../model/state.ts'
import type { TwinServices } from '../services/twin-services.ts'
import { currentState } from './load-state.ts'
import { stateOf } from './snapshots.ts'
import { currentHeader, type GraphHeader, headerOf } from './view.ts'

/** A snapshot by its id, or the state of this moment for `current`. @throws API-013, TWIN-009 */
export async function readGraph(
  services: Pick<TwinServices, 'kernel' | 'risk'>,
  scope: TenantScope,
  id: string,
): Promise<{ readonly header: GraphHeader; readonly state: TwinState }> {
  const { kernel } = services
  if (id === 'current') {
    const state = await kernel.db.tenant({ ...scope, snapshot: true }, (tx) => currentState(services, tx))
    return { header: currentHeader(state, scope.tenantId, kernel.clock.iso()), state }
  }
  const row = await kernel.db.tenant({ ...scope, readOnly: true }, (tx) => snapshots.need(tx, id))
  return { header: headerOf(row), state: await stateOf(kernel, scope, row) }
}
