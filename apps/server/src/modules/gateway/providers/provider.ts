import type { EgressTimeouts } from '../../../kernel/egress/exchange.ts'
import type { SecretReference } from '../../../kernel/named-secrets/named-secrets.ts'
import type { Conditions } from '../schemas/conditions.ts'
import type { OwnAbilities } from '../schemas/model.ts'
import type { ProviderSettings } from '../schemas/provider.ts'
import type { ProviderLimits } from '../schemas/provider-limits.ts'
import type { Classification } from '../words/policy-words.ts'
import type { ProviderKind } from '../words/provider-kinds.ts'

/** One key of a provider's pool, decrypted; lives in memory only. */
export interface ProviderSecret {
  readonly id: string
  /** Empty where the key is named instead of stored. */
  readonly value: string
  readonly reference?: SecretReference
  readonly weight: number
  /** Unix milliseconds; null without end. */
  readonly expiresAt: number | null
  /** 1 when absent. */
  readonly version?: number
  /** The version before the current one, for as long as both hold. */
  readonly standby?: boolean
}

/** A tenant's changes to a model; null means as shipped. */
export interface OwnModel {
  readonly aliases: readonly string[]
  readonly enabled: boolean | null
  readonly contextTokens: number | null
  readonly maxOutputTokens: number | null
  /** Abilities that it has or lacks. */
  readonly capabilities?: OwnAbilities
  /** Date on which its vendor retires it; ISO 8601. */
  readonly retiresAt?: string | null
}

/** A provider as the pipeline uses it. */
export interface Provider {
  readonly id: string
  readonly name: string
  readonly kind: ProviderKind
  /** Null for the built-in provider. */
  readonly baseUrl: string | null
  /** Additional settings of its kind; none when absent. */
  readonly settings?: ProviderSettings
  /** Patterns of model names; empty allows every known model. */
  readonly models: readonly string[]
  /** Names found at the provider or built in. */
  readonly knownModels: readonly string[]
  /** The tenant's settings for single models, by name. */
  readonly ownModels?: ReadonlyMap<string, OwnModel>
  readonly timeouts: EgressTimeouts
  readonly secrets: readonly ProviderSecret[]
  readonly enabled: boolean
  /** Where it works: countries, EU or EEA; nowhere said when absent. */
  readonly residency?: readonly string[]
  /** Its vendor has agreed to keep nothing. */
  readonly zeroRetention?: boolean
  /** The highest class of data it may receive; any when absent. */
  readonly maxClassification?: Classification | null
  /** It is the operator's own and is told which trace a call belongs to. */
  readonly continuesTrace?: boolean
  /** The tenant's own limits for the provider; no limits when absent. */
  readonly limits?: ProviderLimits
}

export interface Target {
  readonly provider: Provider
  readonly model: string
  /** Its place in the route it belongs to; absent where no route was asked for. */
  readonly place?: TargetPlace
}

export interface TargetPlace {
  readonly weight: number
  readonly priority: number
  readonly conditions: Conditions | null
}

/** Key of a target's statistics. */
export function targetKey({ provider, model }: Target): string {
  return `${provider.id}/${model}`
}

export function isOffline(provider: Provider): boolean {
  return provider.kind === 'echo'
}

/** Timeouts as stored, in the words of the way out. */
export function timeoutsOf(stored: {
  readonly connect_ms: number
  readonly first_byte_ms: number
  readonly idle_ms: number
  readonly total_ms: number
}): EgressTimeouts {
  return {
    connectMs: stored.connect_ms,
    firstByteMs: stored.first_byte_ms,
    idleMs: stored.idle_ms,
    totalMs: stored.total_ms,
  }
}
