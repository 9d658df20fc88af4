/**
 * Semantic validation of a flag, beyond its schema. Promises to name every invalid place by its pointer; the
 * flags it refers to are handed in. Tested in flags.test.ts.
 */
import { platformTenant } from '../../../kernel/access/platform-tenant.ts'
import { errors } from '../errors/errors.ts'
import { constraintProblem } from './engine/constraints.ts'
import type { FlagDefinition, FlagRow } from './schemas/flags.ts'
import type { Rule } from './schemas/rules.ts'

interface Wrong {
  readonly detail: string
  readonly pointer: string
}

type Judged = Pick<
  FlagRow,
  'tenant_id' | 'value_type' | 'variants' | 'default_variant' | 'off_variant' | 'rules' | 'overrides' | 'schedule'
>

/** @throws ADM-004 */
export function judgeFlag(flag: Judged): void {
  const wrong = flagProblems(flag)
  if (wrong.length === 0) return
  const what =
    wrong.length === 1 ? 'One part of the flag is not valid.' : `${wrong.length} parts of the flag are not valid.`
  throw errors.flagInvalid({ what }).at(wrong.slice(0, 20))
}

export function flagProblems(flag: Judged): readonly Wrong[] {
  const known = new Set(flag.variants.map(({ key }) => key))
  const named = (variant: string | undefined, pointer: string): readonly Wrong[] =>
    variant === undefined || known.has(variant) ? [] : [{ detail: `There is no variant ${variant}.`, pointer }]
  return [
    ...repeated(
      flag.variants.map(({ key }) => key),
      '/variants',
    ),
    ...flag.variants.flatMap(({ value }, at) => wrongValue(flag.value_type, value, `/variants/${at}/value`)),
    ...named(flag.default_variant, '/default_variant'),
    ...named(flag.off_variant, '/off_variant'),
    ...repeated(
      flag.rules.map(({ id }) => id),
      '/rules',
    ),
    ...flag.rules.flatMap((rule, at) => wrongRule(rule, `/rules/${at}`, named)),
    ...flag.overrides.flatMap((override, at) => [
      ...named(override.variant, `/overrides/${at}/variant`),
      ...(override.tenant_id === undefined && override.targeting_key === undefined && override.environment === undefined
        ? [{ detail: 'An override names a tenant, a targeting key or an environment.', pointer: `/overrides/${at}` }]
        : []),
      ...(override.tenant_id !== undefined && flag.tenant_id !== platformTenant
        ? [{ detail: 'Only a flag of the platform tells tenants apart.', pointer: `/overrides/${at}/tenant_id` }]
        : []),
    ]),
    ...flag.schedule.flatMap(({ change }, at) => [
      ...named(change.default_variant, `/schedule/${at}/change/default_variant`),
      ...(change.rollout_percentage !== undefined && !flag.rules.some(({ id }) => id === change.rule_id)
        ? [{ detail: 'The percentage needs the id of a rule.', pointer: `/schedule/${at}/change/rule_id` }]
        : []),
    ]),
  ]
}

function repeated(names: readonly string[], pointer: string): readonly Wrong[] {
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  return twice === undefined ? [] : [{ detail: `${twice} stands there twice.`, pointer }]
}

function wrongValue(type: FlagDefinition['value_type'], value: unknown, pointer: string): readonly Wrong[] {
  const fits = type === 'object' ? typeof value === 'object' && value !== null : typeof value === type
  return fits ? [] : [{ detail: `The value is no ${type}.`, pointer }]
}

type Named = (variant: string | undefined, pointer: string) => readonly Wrong[]

function wrongRule({ serve, constraints = [] }: Rule, pointer: string, named: Named): readonly Wrong[] {
  const both = (serve.variant === undefined) === (serve.split === undefined)
  return [
    ...(both ? [{ detail: 'A rule serves either a variant or a split.', pointer: `${pointer}/serve` }] : []),
    ...named(serve.variant, `${pointer}/serve/variant`),
    ...(serve.split ?? []).flatMap(({ variant }, at) => named(variant, `${pointer}/serve/split/${at}/variant`)),
    ...constraints.flatMap((constraint, at) => {
      const detail = constraintProblem(constraint)
      return detail === null ? [] : [{ detail, pointer: `${pointer}/constraints/${at}` }]
    }),
  ]
}

/** References of a flag: the prerequisites of all flags by key, and the names of the segments. */
export interface Surroundings {
  readonly prerequisites: ReadonlyMap<string, readonly string[]>
  readonly segments: ReadonlySet<string>
}

/** @throws ADM-005 for a segment or flag that is not there, and for flags that need each other */
export function judgeReferences(
  { key, rules, prerequisites }: Pick<FlagRow, 'key' | 'rules' | 'prerequisites'>,
  around: Surroundings,
): void {
  const unknown = rules.flatMap(({ segment_ids = [] }, rule) =>
    segment_ids.flatMap((id, at) =>
      around.segments.has(id)
        ? []
        : [{ detail: `There is no segment ${id}.`, pointer: `/rules/${rule}/segment_ids/${at}` }],
    ),
  )
  const missing = prerequisites.flatMap(({ flag }, at) =>
    around.prerequisites.has(flag) && flag !== key
      ? []
      : [{ detail: `There is no other flag ${flag}.`, pointer: `/prerequisites/${at}/flag` }],
  )
  const circle =
    missing.length > 0
      ? []
      : circleOf(
          key,
          prerequisites.map(({ flag }) => flag),
          around,
        )
  const wrong = [...unknown, ...missing, ...circle]
  if (wrong.length > 0) throw errors.flagReference({ what: wrong[0]?.detail ?? '' }).at(wrong)
}

function circleOf(key: string, direct: readonly string[], { prerequisites }: Surroundings): readonly Wrong[] {
  const seen = new Set<string>()
  const open = [...direct]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === key) return [{ detail: 'The flag would need itself.', pointer: '/prerequisites' }]
    if (seen.has(next)) continue
    seen.add(next)
    open.push(...(prerequisites.get(next) ?? []))
  }
  return []
}
