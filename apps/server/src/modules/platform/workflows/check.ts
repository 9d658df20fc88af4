/**
 * Refusals before a definition is stored, with a pointer to each place: members that a step does not have, steps that
 * do not exist, circles, and expressions that cannot be read. Pure. Tested in check.test.ts.
 */
import { holds, type Permission, permissionSet } from '../../../kernel/access/permissions.ts'
import { compileCel, createCelReader } from '../../../kernel/cel/program.ts'
import { lazyCheck } from '../../../kernel/schema/validators.ts'
import { eventVariables } from '../declared/event-variables.ts'
import { type Definition, type Step, type StepType, stepInputs, type Trigger } from './declared/definition.ts'
import { expressionsIn, isTemplate, refusalOf } from './expressions.ts'
import { permissionOf } from './permissions.ts'

export interface Fault {
  readonly detail: string
  readonly pointer: string
}

export const readTriggerFilter = createCelReader((source: string) => compileCel(source, eventVariables))

const checks = new Map<StepType, ReturnType<typeof lazyCheck>>(
  Object.entries(stepInputs).map(([type, schema]) => [type as StepType, lazyCheck(schema)]),
)

export function faultsOf(definition: Definition, declared: readonly string[]): readonly Fault[] {
  const { steps, trigger } = definition
  const ids = new Set(steps.map(({ id }) => id))
  return [
    ...triggerFaults(trigger),
    ...repeated(steps),
    ...steps.flatMap((step, index) => stepFaults(step, { at: `/definition/steps/${index}`, ids, declared })),
    ...circle(steps),
  ].slice(0, 20)
}

function triggerFaults({ type, channels, filter, cron, time_zone: zone, input }: Trigger): readonly Fault[] {
  const at = (name: string): string => `/definition/trigger/${name}`
  const only = (name: string, isGiven: boolean, owner: Trigger['type']): readonly Fault[] =>
    isGiven && type !== owner ? [{ detail: `This is for the trigger ${owner}.`, pointer: at(name) }] : []
  const compiled = filter === undefined ? null : readTriggerFilter(filter)
  return [
    ...(type === 'event' && channels === undefined ? [{ detail: 'This is required.', pointer: at('channels') }] : []),
    ...(type === 'schedule' && cron === undefined ? [{ detail: 'This is required.', pointer: at('cron') }] : []),
    ...only('channels', channels !== undefined, 'event'),
    ...only('filter', filter !== undefined, 'event'),
    ...only('cron', cron !== undefined, 'schedule'),
    ...only('time_zone', zone !== undefined, 'schedule'),
    ...only('input', input !== undefined, 'manual'),
    ...(compiled === null || compiled.ok
      ? []
      : [{ detail: `${compiled.reason} (character ${compiled.position ?? 1})`, pointer: at('filter') }]),
  ]
}

function repeated(steps: readonly Step[]): readonly Fault[] {
  const seen = new Set<string>()
  return steps.flatMap(({ id }, index) => {
    if (seen.has(id)) return [{ detail: 'Another step has this id.', pointer: `/definition/steps/${index}/id` }]
    seen.add(id)
    return []
  })
}

interface Place {
  readonly at: string
  readonly ids: ReadonlySet<string>
  readonly declared: readonly string[]
}

function stepFaults(step: Step, { at, ids, declared }: Place): readonly Fault[] {
  const input = step.with ?? {}
  const unknown = (step.depends_on ?? []).flatMap((id, index) =>
    ids.has(id) ? [] : [{ detail: 'There is no such step.', pointer: `${at}/depends_on/${index}` }],
  )
  const needed = permissionOf(step)
  return [
    ...unknown,
    ...gotoFaults(step, at, ids),
    ...inputFaults(step.type, input, `${at}/with`),
    ...(step.type === 'for_each' ? innerFaults(input, at) : []),
    ...expressionFaults(step, at),
    ...(needed === null || holds(permissionSet(declared), needed)
      ? []
      : [{ detail: `The step needs ${needed}; declare it.`, pointer: '/declared_permissions' }]),
  ]
}

function gotoFaults({ on_error: on, goto }: Step, at: string, ids: ReadonlySet<string>): readonly Fault[] {
  if ((on === 'goto') !== (goto !== undefined))
    return [{ detail: '`goto` goes with `on_error: goto`.', pointer: `${at}/goto` }]
  return goto === undefined || ids.has(goto) ? [] : [{ detail: 'There is no such step.', pointer: `${at}/goto` }]
}

/** A text with an expression has its form when it runs; until then its length alone is checked. */
function inputFaults(type: StepType, input: unknown, at: string): readonly Fault[] {
  const faults = checks.get(type)?.(input) ?? []
  return faults
    .filter(({ pointer }) => !isTemplate(memberAt(input, pointer)))
    .map(({ detail, pointer }) => ({ detail, pointer: `${at}${pointer}` }))
}

function memberAt(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (inner, name) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, name) : undefined),
      value,
    )
}

function innerFaults(input: Readonly<Record<string, unknown>>, at: string): readonly Fault[] {
  const type = input.type
  return typeof type === 'string' && checks.has(type as StepType)
    ? inputFaults(type as StepType, input.with ?? {}, `${at}/with/with`)
    : []
}

function expressionFaults(step: Step, at: string): readonly Fault[] {
  const { if: condition, with: input = {}, type } = step
  const whole = [
    ...(condition === undefined ? [] : [{ source: condition, pointer: `${at}/if` }]),
    ...(type === 'condition' ? [{ source: String(input.expression ?? ''), pointer: `${at}/with/expression` }] : []),
    ...(type === 'for_each' ? [{ source: String(input.items ?? ''), pointer: `${at}/with/items` }] : []),
  ]
  return [...whole, ...expressionsIn(input, `${at}/with`)].flatMap(({ source, pointer }) => {
    const refused = refusalOf(source)
    return refused === null ? [] : [{ detail: refused, pointer }]
  })
}

/** Arrows of the graph: what a step waits for, and from a step to the one that its failure leads to. */
function circle(steps: readonly Step[]): readonly Fault[] {
  const before = new Map(steps.map(({ id, depends_on: on = [] }) => [id, [...on]]))
  for (const { id, goto } of steps) if (goto !== undefined) before.get(goto)?.push(id)
  const done = new Set<string>()
  const open = new Set<string>()
  const closes = (id: string): boolean => {
    if (done.has(id)) return false
    if (open.has(id)) return true
    open.add(id)
    const found = (before.get(id) ?? []).some(closes)
    open.delete(id)
    done.add(id)
    return found
  }
  const index = steps.findIndex(({ id }) => closes(id))
  return index < 0
    ? []
    : [{ detail: 'The steps wait for each other in a circle.', pointer: `/definition/steps/${index}/depends_on` }]
}

/** Permissions that are declared and that no step takes; a report reads whatever its sections are about. */
export function unneeded({ steps }: Definition, declared: readonly string[]): readonly string[] {
  const needed = permissionSet(steps.flatMap((step) => permissionOf(step) ?? []))
  const reports = steps.some(({ type }) => type === 'generate_report')
  return declared.filter(
    (permission) => !holds(needed, permission as Permission) && !(reports && permission.endsWith(':read')),
  )
}
