/**
 * Whether a change-set may be applied: every key is known, free and of this scope, every value fits its schema, and the
 * state that would come out of it holds together. Promises to name every value that is wrong at once; changes nothing.
 * Tested in config.test.ts.
 */
import { type Check, lazyCheck } from '../../../kernel/schema/validators.ts'
import type { SettingDefinition } from '../../../kernel/settings/define.ts'
import type { Settings } from '../../../kernel/settings/settings.ts'
import { errors } from '../errors/errors.ts'
import type { ChangeScope } from './schemas.ts'

export interface Proposal {
  readonly scope: ChangeScope
  /** Null takes the value away. */
  readonly values: Readonly<Record<string, unknown>>
  /** May set a tenant's value above the platform's. */
  readonly operator: boolean
  /** Of this layer, before the change; undefined where nothing is set. */
  readonly own: (key: string) => unknown
  /** Value from the layers below. */
  readonly below: (definition: SettingDefinition) => unknown
}

interface Wrong {
  readonly detail: string
  readonly pointer: string
}

const checks = new WeakMap<SettingDefinition, Check>()

function checkOf(definition: SettingDefinition): Check {
  const known = checks.get(definition) ?? lazyCheck(definition.schema)
  checks.set(definition, known)
  return known
}

/** @throws ADM-002, ADM-003, ADM-001 with a pointer to each value that is wrong */
export function judge(settings: Pick<Settings, 'definitions' | 'fixedBy' | 'get'>, proposal: Proposal): void {
  const asked = Object.entries(proposal.values).map(([key, value]) => ({
    key,
    value,
    definition: known(settings, key),
  }))
  for (const { key, definition } of asked) {
    const env = settings.fixedBy(definition)
    if (env !== null) throw errors.fixedByEnvironment({ key, env }).at([{ detail: env, pointer: `/values/${key}` }])
  }
  const wrong = asked.flatMap(({ key, value, definition }) => wrongAlone(proposal, definition, { key, value }))
  refuse(wrong.length > 0 ? wrong : wrongTogether(settings, proposal))
}

function known(settings: Pick<Settings, 'definitions'>, key: string): SettingDefinition {
  const definition = settings.definitions.get(key)
  if (definition === undefined)
    throw errors.unknownSetting({ key }).at([{ detail: 'There is no such setting.', pointer: `/values/${key}` }])
  return definition
}

function refuse(wrong: readonly Wrong[]): void {
  if (wrong.length === 0) return
  const what = wrong.length === 1 ? 'One value is not allowed.' : `${wrong.length} values are not allowed.`
  throw errors.settingRefused({ what }).at(wrong)
}

function wrongAlone(
  { scope, operator, below }: Proposal,
  definition: SettingDefinition,
  { key, value }: { readonly key: string; readonly value: unknown },
): readonly Wrong[] {
  const pointer = `/values/${key}`
  if (definition.scope !== 'both' && definition.scope !== scope)
    return [{ detail: `This setting belongs to the ${definition.scope}.`, pointer }]
  if (value === null) return []
  const unfit = checkOf(definition)(value)
  if (unfit.length > 0) return unfit.map((part) => ({ detail: part.detail, pointer: `${pointer}${part.pointer}` }))
  const ceiling = definition.platformIsCeiling && scope === 'tenant' && !operator ? below(definition) : null
  return typeof ceiling === 'number' && typeof value === 'number' && value > ceiling
    ? [{ detail: `The platform allows at most ${ceiling}.`, pointer }]
    : []
}

/** Rules between settings, asked of the state that the change would leave. */
function wrongTogether(
  settings: Pick<Settings, 'definitions' | 'fixedBy' | 'get'>,
  proposal: Proposal,
): readonly Wrong[] {
  const { scope, values, own, below } = proposal
  const after = (definition: SettingDefinition): unknown => {
    if (settings.fixedBy(definition) !== null) return settings.get(definition, null)
    const { key } = definition
    const ofLayer = Object.hasOwn(values, key) ? (values[key] ?? undefined) : own(key)
    return ofLayer ?? below(definition)
  }
  const read = <T>(definition: SettingDefinition<T>): T => after(definition as SettingDefinition) as T
  return [...settings.definitions.values()]
    .filter((definition) => definition.scope === 'both' || definition.scope === scope)
    .flatMap((definition) => {
      const detail = definition.check(after(definition), read)
      return detail === null ? [] : [{ detail, pointer: `/values/${definition.key}` }]
    })
}
