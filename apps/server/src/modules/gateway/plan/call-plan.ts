import { createVault, type Vault } from '@parapet/detect'
import { type CanonicalCall, emptyCall } from '../call/call.ts'
import type { LookedAt } from '../detection/looked-at.ts'
import { type CompiledPolicy, compilePolicies } from '../policy/compile.ts'
import type { TenantSnapshot } from '../policy/snapshot.ts'
import type { Target } from '../providers/provider.ts'
import type { Route } from '../route-model/route.ts'

/** Plan of a call: its text as it will be sent, the targets it may be sent to, and the policy it is held to. */
export interface CallPlan {
  /** Call as it goes to the provider; changed by redaction only. */
  readonly call: CanonicalCall
  /** Call as it may be kept; null until step 7 has looked at it. */
  readonly keepable: CanonicalCall | null
  /** For the detectors: the texts as the caller sent them; null until step 5. */
  readonly lookedAt: LookedAt | null
  readonly snapshot: TenantSnapshot
  /** The route the call names as its model. */
  readonly route: Route | null
  readonly targets: readonly Target[]
  readonly policy: CompiledPolicy
  /** Made anew in step 3 where the policy wants other brackets. */
  readonly vault: Vault
  /** Types of values that are still in the call after its redaction; looked for where its class matters. */
  readonly left: ReadonlySet<string>
  readonly promptSha256: string | null
}

export interface WithPlan {
  readonly plan: CallPlan
}

const noSnapshot: TenantSnapshot = { providers: [], policies: [], compiled: new Map() }
const unpoliced = compilePolicies([])

/** Of a call that nothing is known of. */
export function emptyPlan(): CallPlan {
  return {
    call: emptyCall,
    keepable: null,
    lookedAt: null,
    snapshot: noSnapshot,
    route: null,
    targets: [],
    policy: unpoliced,
    vault: createVault(),
    left: new Set(),
    promptSha256: null,
  }
}
