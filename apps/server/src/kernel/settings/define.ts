/**
 * Settings that change while the program runs. Each is declared where it is read, with its schema, default and required
 * permission; administration keeps the values, their layers and their history. It stores nothing itself. Tested in
 * settings.test.ts.
 */
import type { Static, TSchema } from 'typebox'
import type { Config } from '../config/load.ts'

/** `platform`: one value for the installation. `tenant`: each tenant its own. `both`: a tenant's value before the platform's. */
export type SettingScope = 'platform' | 'tenant' | 'both'

/** Reads the value of another setting in the state that is judged. */
export type SettingReader = <T>(definition: SettingDefinition<T>) => T

export interface SettingDefinition<T = unknown> {
  /** `<area>.<name>` in lower case. */
  readonly key: string
  readonly schema: TSchema
  readonly default: T
  readonly scope: SettingScope
  readonly description: string
  /** The start-up setting that fixes the value where the environment names it. */
  readonly environment: { readonly name: string; read(config: Config): T } | null
  /** Stored encrypted and never shown. */
  readonly secret: boolean
  /** Read once at start: a change counts after it. */
  readonly restartRequired: boolean
  /** Can stop or silently change the platform: asks for fresh authentication. */
  readonly dangerous: boolean
  /** A tenant's own administrators may set less than the platform has, not more; an operator may. */
  readonly platformIsCeiling: boolean
  /** The conflict of the value with the others; null when nothing is. */
  check(value: T, read: SettingReader): string | null
}

type Optional<T> = Partial<
  Pick<SettingDefinition<T>, 'environment' | 'secret' | 'restartRequired' | 'dangerous' | 'platformIsCeiling' | 'check'>
>

export type SettingInput<S extends TSchema> = {
  readonly key: string
  readonly schema: S
  readonly default: Static<S>
  readonly scope: SettingScope
  readonly description: string
} & Optional<Static<S>>

const keyPattern = /^[a-z][a-z0-9_]{0,39}(\.[a-z][a-z0-9_]{0,39}){0,3}$/

/** @example const limit = defineSetting({ key: 'rate_limits.api', schema: Type.Integer(), default: 6000, … }) */
export function defineSetting<S extends TSchema>(input: SettingInput<S>): SettingDefinition<Static<S>> {
  if (!keyPattern.test(input.key)) throw new TypeError(`${input.key} is not the key of a setting`)
  return {
    environment: null,
    secret: false,
    restartRequired: false,
    dangerous: false,
    platformIsCeiling: false,
    check: () => null,
    ...input,
  }
}
