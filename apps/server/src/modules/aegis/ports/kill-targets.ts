/** Whether a kill switch names something: an id with a typo would stop nobody and look as if it did. */
import type { Actor } from '../../../kernel/access/actor.ts'
import type { TenantScope } from '../../../kernel/db/port.ts'
import { definePort } from '../../../kernel/module/ports/port.ts'
import type { KillSwitchScope } from './enforced-scopes.ts'

export interface NamedTarget {
  readonly scope: TenantScope
  readonly actor: Actor
  readonly target: {
    readonly scope: KillSwitchScope
    readonly value: string | null
    /** Ids of users and keys that the switch lets through. */
    readonly except: readonly string[]
  }
}

export interface MissingTarget {
  readonly detail: string
  /** JSON Pointer in the body of the activation. */
  readonly pointer: string
}

export interface KillTargets {
  /** Those that the module knows; it is asked about exceptions as well. */
  readonly scopes: readonly KillSwitchScope[]
  /** Null where the target and all exceptions are there. */
  missing(named: NamedTarget): Promise<MissingTarget | null>
}

export const killTargetsPort = definePort<KillTargets>({ name: 'aegis.kill_targets', cardinality: 'many' })
