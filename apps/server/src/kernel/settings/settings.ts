/**
 * Readers of settings: a value from memory, without a wait. The environment's value wins, then the tenant's, then
 * the platform's, then the settings file's, then the default. Without a keeper of values (`settingValuesPort`), and
 * until they are read, everything has its default; work that must not begin with a default waits for `ready`. Tested in
 * settings.test.ts.
 */
import type { TenantId } from '../access/actor.ts'
import type { Config } from '../config/load.ts'
import { definePort } from '../module/ports/port.ts'
import type { SettingDefinition } from './define.ts'
import type { FileValues } from './file.ts'

/** Stored values by key; undefined where nothing is set. */
export interface SettingValues {
  platform(key: string): unknown
  tenant(tenantId: TenantId, key: string): unknown
  /** Settles with the first reading. */
  readonly loaded: Promise<void>
  /** Whether the first reading is done. */
  isLoaded(): boolean
}

export const settingValuesPort = definePort<SettingValues>({
  name: 'kernel.setting_values',
  cardinality: 'one',
  default: { platform: () => undefined, tenant: () => undefined, loaded: Promise.resolve(), isLoaded: () => true },
})

export interface Settings {
  /** Every declared setting by its key. */
  readonly definitions: ReadonlyMap<string, SettingDefinition>
  /** The value that counts for the tenant, or for the installation with null. */
  get<T>(definition: SettingDefinition<T>, tenantId: TenantId | null): T
  /** The name in the environment that fixes the value; null when it may be set. */
  fixedBy(definition: Pick<SettingDefinition, 'key'>): string | null
  /** The value where nothing is set: the file's, else the default. */
  below(definition: SettingDefinition): unknown
  /** Whether the settings file names it. */
  isInFile(definition: Pick<SettingDefinition, 'key'>): boolean
  /** Settles when the stored values were read for the first time. Not to be waited for inside a transaction. */
  ready(): Promise<void>
  /** Whether they were: for callers inside a transaction, which the reading may have to wait for. */
  isReady(): boolean
}

/** @throws TypeError when two declarations share a key */
export function createSettings(
  { config, stored }: { readonly config: Config; readonly stored: () => SettingValues },
  declared: readonly SettingDefinition[],
  file: FileValues = new Map(),
): Settings {
  const definitions = new Map<string, SettingDefinition>()
  for (const definition of declared) {
    if (definitions.has(definition.key)) throw new TypeError(`the setting ${definition.key} is declared twice`)
    definitions.set(definition.key, definition)
  }
  const fixed = new Map<string, { readonly value: unknown; readonly env: string }>()
  for (const { key, environment } of declared) {
    if (environment !== null && config.given.has(environment.name))
      fixed.set(key, { value: environment.read(config), env: environment.name })
  }
  const below = ({ key, default: fallback }: SettingDefinition): unknown => file.get(key) ?? fallback
  const effective = (definition: SettingDefinition, tenantId: TenantId | null): unknown => {
    const { key } = definition
    const ofEnvironment = fixed.get(key)
    if (ofEnvironment !== undefined) return ofEnvironment.value
    const ofTenant = tenantId === null || definition.scope === 'platform' ? undefined : stored().tenant(tenantId, key)
    return ofTenant ?? stored().platform(key) ?? below(definition)
  }
  return {
    definitions,
    // A stored value was checked against the definition's schema when it was set.
    get: <T>(definition: SettingDefinition<T>, tenantId: TenantId | null) =>
      effective(definition as SettingDefinition, tenantId) as T,
    fixedBy: ({ key }) => fixed.get(key)?.env ?? null,
    below,
    isInFile: ({ key }) => file.has(key),
    ready: () => stored().loaded,
    isReady: () => stored().isLoaded(),
  }
}
