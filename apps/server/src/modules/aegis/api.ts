import type { Actor } from '../../kernel/access/actor.ts'
import type { TenantScope, Tx } from '../../kernel/db/port.ts'
import type { Page, PageRequest } from '../../kernel/db/table.ts'
import { defineApi } from '../../kernel/module/module.ts'
import type { Activation } from './activate.ts'
import type { ActivationListener, KillSubject, ListedSwitch } from './kill-list.ts'
import type { Deactivation, KillSwitchFilter } from './kill-switches.ts'
import type { KillSwitch } from './schemas.ts'
import type { AlongWith } from './service.ts'

export { errors as aegisErrors } from './errors/errors.ts'
export { KillSwitchEventData } from './events.ts'
export { covers as killSwitchCovers, type KillSubject, type ListedSwitch } from './kill-list.ts'
export { killSwitchEvent } from './kill-switches.ts'
export {
  ActivateKillSwitch,
  DeactivateKillSwitch,
  type KillSwitch,
  KillSwitchQuery,
  KillSwitchRow,
  KillSwitchView,
  killSwitchScopes,
  killSwitchSources,
  killSwitchStatuses,
  killSwitchView,
  ListedKillSwitch,
  Propagation,
} from './schemas.ts'
/** For the declaration of a list; its rows are read through `listKillSwitches`. */
export { killSwitches as killSwitchTable } from './tables.ts'

export interface AegisApi {
  /** The active switch that covers the subject, from memory. */
  matchKillSwitch(subject: KillSubject): ListedSwitch | null
  /** The same for a call that was let in before: a switch of level `block_new` that came since lets it end. */
  matchKillSwitchOfRunning(subject: KillSubject): ListedSwitch | null
  /** False when this instance has not heard of changes for so long that its list is not trusted. */
  killListFresh(): boolean
  /** Tells of each switch the moment it counts here. */
  onActivation(listener: ActivationListener): () => void
  /**
   * Activates a switch in the caller's transaction, for workflows and guardrails: with the rest of it, or not at all. It
   * counts on this instance at the commit and elsewhere within a second; `propagation` is brought up to date then.
   * @throws AEGIS-003 when the same scope and value is active, AEGIS-005 for a scope that nothing enforces, API-001 for a
   * value that its scope does not take, AUTH-004
   */
  activate(tx: Tx, actor: Actor, request: Activation): Promise<KillSwitch>
  /** Opens its own transaction. @throws AEGIS-003 when the same scope and value is active, AEGIS-005, AUTH-004 */
  activateKillSwitch(
    scope: TenantScope,
    actor: Actor,
    request: Activation & { readonly also: AlongWith },
  ): Promise<KillSwitch>
  /** Opens its own transaction. @throws API-013, AEGIS-002, AEGIS-009 with `confirm_token`, AUTH-004 */
  deactivateKillSwitch(
    scope: TenantScope,
    actor: Actor,
    request: Deactivation & { readonly also: AlongWith },
  ): Promise<KillSwitch>
  /**
   * Ends a switch in the caller's transaction, for workflows. That of a whole tenant takes two people, so it is refused here.
   * @throws API-013, AEGIS-002, AEGIS-009, AUTH-004
   */
  deactivate(tx: Tx, actor: Actor, request: Pick<Deactivation, 'id' | 'reason'>): Promise<KillSwitch>
  /** Quarantines an agent in the caller's transaction. The caller has checked the rights. @throws API-013, AEGIS-002 */
  quarantineAgent(tx: Tx, actor: Actor, request: { readonly id: string; readonly comment: string }): Promise<void>
  listKillSwitches(tx: Tx, page: PageRequest, filter: KillSwitchFilter): Promise<Page<KillSwitch>>
}

export const aegisApi = defineApi<AegisApi>('aegis')
