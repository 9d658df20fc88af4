/**
 * Controls of a catalog as rows: text with its parameters, group, parent and order, and those that are withdrawn or need a
 * review. Pure. Tested in oscal.test.ts.
 */
import type { Catalog, Control, Group, Parameter, Part } from './model.ts'

export interface GroupDefinition {
  readonly id: string
  readonly title: string
  readonly parent: string | null
}

export interface ControlDefinition {
  readonly ref: string
  readonly parent_ref: string | null
  readonly group_ref: string | null
  readonly title: string
  readonly statement: string | null
  readonly guidance: string | null
  readonly withdrawn: boolean
  /** Lacks what others of its class have: a left-over of an earlier edition until a person says otherwise. */
  readonly needs_review: boolean
  readonly params: readonly ParameterDefinition[]
}

export interface ParameterDefinition {
  readonly id: string
  readonly label: string
  readonly values: readonly string[]
}

export interface Definitions {
  readonly groups: readonly GroupDefinition[]
  readonly controls: readonly ControlDefinition[]
}

export function definitionsOf(catalog: Catalog): Definitions {
  const groups: GroupDefinition[] = []
  const found: Found[] = []
  const params = new Map((catalog.params ?? []).map((param) => [param.id, param]))
  collectGroups(catalog.groups ?? [], null, { groups, found, params })
  collectControls(catalog.controls ?? [], { group: null, parent: null }, { groups, found, params })
  const review = leftOvers(found)
  return { groups, controls: found.map((one) => definition(one, review, params)) }
}

interface Found {
  readonly control: Control
  readonly group: string | null
  readonly parent: string | null
}

interface Collected {
  readonly groups: GroupDefinition[]
  readonly found: Found[]
  readonly params: Map<string, Parameter>
}

function collectGroups(groups: readonly Group[], parent: string | null, into: Collected): void {
  for (const group of groups) {
    const id = group.id ?? `group-${into.groups.length + 1}`
    into.groups.push({ id, title: group.title, parent })
    for (const param of group.params ?? []) into.params.set(param.id, param)
    collectGroups(group.groups ?? [], id, into)
    collectControls(group.controls ?? [], { group: id, parent: null }, into)
  }
}

function collectControls(
  controls: readonly Control[],
  place: { readonly group: string | null; readonly parent: string | null },
  into: Collected,
): void {
  for (const control of controls) {
    into.found.push({ control, ...place })
    for (const param of control.params ?? []) into.params.set(param.id, param)
    collectControls(control.controls ?? [], { group: place.group, parent: control.id }, into)
  }
}

export const isWithdrawn = ({ props }: Pick<Control, 'props'>): boolean =>
  (props ?? []).some(({ name, value }) => name === 'status' && value.toLowerCase() === 'withdrawn')

const hasExample = ({ parts }: Control): boolean => (parts ?? []).some(({ name }) => name === 'example')

/**
 * Catalogs that were made from several editions keep old entries without a mark: where some of a class come with examples
 * in their own words, those without are doubtful, and so is a parent of nothing but doubtful ones.
 */
function leftOvers(found: readonly Found[]): ReadonlySet<string> {
  const classes = new Set(found.flatMap(({ control }) => (hasExample(control) ? [control.class] : [])))
  const doubtful = new Set(
    found.flatMap(({ control }) => (classes.has(control.class) && !hasExample(control) ? [control.id] : [])),
  )
  for (const { control } of found) {
    const children = control.controls ?? []
    if (children.length > 0 && children.every(({ id }) => doubtful.has(id))) doubtful.add(control.id)
  }
  return doubtful
}

function definition(
  { control, group, parent }: Found,
  review: ReadonlySet<string>,
  params: ReadonlyMap<string, Parameter>,
): ControlDefinition {
  return {
    ref: control.id,
    parent_ref: parent,
    group_ref: group,
    title: control.title.slice(0, mostTitle),
    statement: textOf(control, 'statement', params),
    guidance: textOf(control, 'guidance', params),
    withdrawn: isWithdrawn(control),
    needs_review: review.has(control.id),
    params: (control.params ?? []).map(({ id, label, values }) => ({ id, label: label ?? id, values: values ?? [] })),
  }
}

export const mostTitle = 500
export const mostText = 20_000

function textOf({ parts }: Control, name: string, params: ReadonlyMap<string, Parameter>): string | null {
  const lines = (parts ?? []).filter((part) => part.name === name).flatMap((part) => linesOf(part, 0))
  return lines.length === 0 ? null : inserted(lines.join('\n'), params).slice(0, mostText)
}

function linesOf({ prose, props, parts }: Part, depth: number): readonly string[] {
  const label = (props ?? []).find((prop) => prop.name === 'label')?.value
  const own = prose === undefined ? [] : [`${'  '.repeat(depth)}${label === undefined ? '' : `${label} `}${prose}`]
  return [...own, ...(parts ?? []).flatMap((part) => linesOf(part, depth + 1))]
}

const insertion = /\{\{\s{0,8}(?:insert:\s{0,8})?param[,:\s]{1,16}([^\s,:}][^\s}]{0,255})\s{0,8}\}\}/g
const mostNesting = 4

/** Prose with its parameters: their values, else their choices, else their labels, in brackets. */
export function inserted(prose: string, params: ReadonlyMap<string, Parameter>, depth = 0): string {
  return prose.replaceAll(insertion, (whole, id: string) => {
    const param = params.get(id)
    if (param === undefined || depth >= mostNesting) return whole
    const { values, select, label } = param
    if (values !== undefined && values.length > 0) return values.join(', ')
    const choice = select?.choice
    if (choice !== undefined) return `[Selection: ${choice.map((one) => inserted(one, params, depth + 1)).join('; ')}]`
    return `[${label ?? id}]`
  })
}
