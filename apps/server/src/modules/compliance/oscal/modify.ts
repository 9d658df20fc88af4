/** The last step of profile resolution: parameters that are set and controls that are altered. Tested in resolve.test.ts. */
import { DocumentFault } from './fault.ts'
import type { Addition, Alteration, Control, Group, Parameter, Part, Profile, Removal, SetParameter } from './model.ts'
import type { Body } from './select.ts'

/** The body with every control changed by `change`, from the outside in. */
function mapControls(body: Body, change: (control: Control) => Control): Body {
  const inControls = (controls: readonly Control[]): readonly Control[] =>
    controls.map((control) => {
      const changed = change(control)
      return changed.controls === undefined ? changed : { ...changed, controls: inControls(changed.controls) }
    })
  const inGroups = (groups: readonly Group[]): readonly Group[] =>
    groups.map((group) => ({
      ...group,
      ...(group.groups === undefined ? {} : { groups: inGroups(group.groups) }),
      ...(group.controls === undefined ? {} : { controls: inControls(group.controls) }),
    }))
  return {
    ...body,
    ...(body.groups === undefined ? {} : { groups: inGroups(body.groups) }),
    ...(body.controls === undefined ? {} : { controls: inControls(body.controls) }),
  }
}

/** @throws DocumentFault for a parameter that no selected control has */
export function withParameters(body: Body, settings: readonly SetParameter[]): Body {
  if (settings.length === 0) return body
  const open = new Map(settings.map(({ 'param-id': id, ...rest }) => [id, rest]))
  const used = new Set<string>()
  const set = (params: readonly Parameter[]): readonly Parameter[] =>
    params.map((param) => {
      const change = open.get(param.id)
      if (change === undefined) return param
      used.add(param.id)
      const { props, links, ...replaced } = change
      return { ...param, ...replaced, ...joined(param, 'props', props), ...joined(param, 'links', links) }
    })
  const changed = mapControls(
    { ...body, ...(body.params === undefined ? {} : { params: set(body.params) }) },
    (control) => (control.params === undefined ? control : { ...control, params: set(control.params) }),
  )
  const index = settings.findIndex(({ 'param-id': id }) => !used.has(id))
  if (index >= 0)
    throw new DocumentFault('unresolved', 'The profile sets a parameter that no selected control has.', [
      { pointer: `/profile/modify/set-parameters/${index}/param-id`, detail: 'is a parameter of no selected control' },
    ])
  return changed
}

function joined(param: Parameter, member: 'props' | 'links', added: unknown): object {
  return Array.isArray(added) ? { [member]: [...(param[member] ?? []), ...added] } : {}
}

/** @throws DocumentFault for a control that is not selected */
export function altered(body: Body, { modify }: Profile): Body {
  const alters = modify?.alters ?? []
  if (alters.length === 0) return body
  const used = new Set<string>()
  const changed = mapControls(body, (control) => {
    const own = alters.filter((alter) => alter['control-id'] === control.id)
    if (own.length > 0) used.add(control.id)
    return own.reduce(alteredControl, control)
  })
  const index = alters.findIndex((alter) => !used.has(alter['control-id']))
  if (index >= 0)
    throw new DocumentFault('unresolved', 'The profile alters a control that it does not select.', [
      { pointer: `/profile/modify/alters/${index}/control-id`, detail: 'is not selected' },
    ])
  return changed
}

function alteredControl(control: Control, { removes = [], adds = [] }: Alteration): Control {
  const removed = removes.reduce(without, control)
  return adds.reduce(withAddition, removed)
}

const lists = ['params', 'props', 'links', 'parts'] as const
type ListName = (typeof lists)[number]
const itemNames: Readonly<Record<ListName, string>> = { params: 'param', props: 'prop', links: 'link', parts: 'part' }

interface Item {
  readonly id?: string
  readonly name?: string
  readonly class?: string
  readonly ns?: string
  readonly parts?: readonly Part[]
}

function matches(item: Item, list: ListName, removal: Removal): boolean {
  const wanted: readonly (readonly [string | undefined, string | undefined])[] = [
    [removal['by-name'], item.name],
    [removal['by-class'], item.class],
    [removal['by-id'], item.id],
    [removal['by-item-name'], itemNames[list]],
    [removal['by-ns'], item.ns],
  ]
  const asked = wanted.filter(([word]) => word !== undefined)
  return asked.length > 0 && asked.every(([word, found]) => word === found)
}

/** The control without the items that a removal names, in itself and in its parts. */
function without<T extends Control | Part>(owner: T, removal: Removal): T {
  const kept = Object.fromEntries(
    lists.flatMap((list) => {
      const items = owner[list]
      if (!Array.isArray(items)) return []
      const left = items.filter((item: Item) => !matches(item, list, removal))
      const inner = list === 'parts' ? left.map((part: Part) => without(part, removal)) : left
      return [[list, inner.length === 0 ? undefined : inner]]
    }),
  )
  return pruned({ ...owner, ...kept })
}

/** Without members that are undefined, which JSON does not have. */
function pruned<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T
}

function withAddition(control: Control, addition: Addition): Control {
  const { 'by-id': id, position = 'ending' } = addition
  if (id === undefined || id === control.id)
    return addedTo(control, addition, position !== 'starting' && position !== 'before')
  const parts = inParts(control.parts ?? [], addition, id)
  return parts === null ? addedTo(control, addition, true) : { ...control, parts }
}

/** Adds beside or in the part of this id; null where there is none. */
function inParts(parts: readonly Part[], addition: Addition, id: string): readonly Part[] | null {
  const index = parts.findIndex((part) => part.id === id)
  if (index < 0) {
    for (const [at, part] of parts.entries()) {
      const inner = inParts(part.parts ?? [], addition, id)
      if (inner !== null) return parts.with(at, { ...part, parts: inner })
    }
    return null
  }
  const { position = 'ending', parts: added = [] } = addition
  if (position === 'before') return parts.toSpliced(index, 0, ...added)
  if (position === 'after') return parts.toSpliced(index + 1, 0, ...added)
  const found = parts[index]
  return found === undefined ? null : parts.with(index, addedTo(found, addition, position === 'ending'))
}

function addedTo<T extends Control | Part>(owner: T, addition: Addition, atEnd: boolean): T {
  const merged = Object.fromEntries(
    lists.flatMap((list) => {
      const added: readonly unknown[] = addition[list] ?? []
      if (added.length === 0) return []
      const own = Array.isArray(owner[list]) ? owner[list] : []
      return [[list, atEnd ? [...own, ...added] : [...added, ...own]]]
    }),
  )
  return { ...owner, ...(addition.title === undefined ? {} : { title: addition.title }), ...merged }
}
