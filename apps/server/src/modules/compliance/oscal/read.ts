/**
 * Reads OSCAL JSON: catalogs, profiles and mapping collections. Promises that nothing that is not of its model passes, and
 * that nothing is fetched. Nesting is bounded, so that reading never runs out of stack. Tested in oscal.test.ts.
 */
import { type Check, lazyCheck } from '../../../kernel/schema/validators.ts'
import { DocumentFault, type Fault } from './fault.ts'
import type { Catalog, Control, Document, Group, MappingCollection, Part, Profile } from './model.ts'
import { CatalogShape, ControlShape, GroupShape, MappingShape, PartShape, ProfileShape } from './shape.ts'

export const mostControls = 50_000
const mostDepth = 32
const mostFaults = 20

/** Models that are evidence or another tool's plan, and are kept elsewhere. */
const otherModels: Readonly<Record<string, string>> = {
  'assessment-results': 'Register it as evidence of the kind external_result.',
  'plan-of-action-and-milestones': 'Register it as evidence of the kind external_result.',
  'component-definition': 'Register it as evidence of the kind external_result.',
  'system-security-plan': 'Register it as evidence of the kind external_result.',
  'assessment-plan': 'Register it as evidence of the kind external_result.',
}

const checks = {
  catalog: lazyCheck(CatalogShape),
  profile: lazyCheck(ProfileShape),
  mapping: lazyCheck(MappingShape),
  group: lazyCheck(GroupShape),
  control: lazyCheck(ControlShape),
  part: lazyCheck(PartShape),
} satisfies Record<string, Check>

/** @throws DocumentFault */
export function readOscal(value: unknown): Document {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new DocumentFault('unknown', 'An OSCAL document is an object with one model, such as `catalog`.')
  const members = Object.entries(value).filter(([name]) => name !== '$schema')
  const [first] = members
  if (first === undefined || members.length !== 1)
    throw new DocumentFault('unknown', 'An OSCAL document has one member that names its model, such as `catalog`.')
  const [model, content] = first
  if (model === 'catalog') return { model, content: readCatalogShape(content) }
  if (model === 'profile') return { model, content: held<Profile>(checks.profile, content, '/profile') }
  if (model === 'mapping-collection')
    return { model, content: held<MappingCollection>(checks.mapping, content, '/mapping-collection') }
  const elsewhere = otherModels[model]
  throw new DocumentFault(
    'unknown',
    elsewhere === undefined
      ? `"${model.slice(0, 60)}" is no OSCAL model that can be imported. Send a catalog, a profile or a mapping-collection.`
      : `A document of the model ${model} is no framework. ${elsewhere}`,
  )
}

/** The content, held against the shape of its model. */
function held<T>(check: Check, content: unknown, at: string): T {
  const faults = check(content).map(({ pointer, detail }) => ({ pointer: `${at}${pointer}`, detail }))
  if (faults.length > 0) throw invalid(faults)
  return content as T
}

const invalid = (faults: readonly Fault[]): DocumentFault =>
  new DocumentFault('invalid', 'The document is not valid OSCAL.', faults.slice(0, mostFaults))

interface Walk {
  readonly faults: Fault[]
  readonly ids: Set<string>
  controls: number
}

function readCatalogShape(content: unknown): Catalog {
  const catalog = held<Catalog>(checks.catalog, content, '/catalog')
  const walk: Walk = { faults: [], ids: new Set(), controls: 0 }
  walkGroups(walk, catalog.groups ?? [], { at: '/catalog/groups', depth: 1 })
  walkControls(walk, catalog.controls ?? [], { at: '/catalog/controls', depth: 1 })
  if (walk.faults.length > 0) throw invalid(walk.faults)
  return catalog
}

interface Place {
  readonly at: string
  readonly depth: number
}

const below = ({ at, depth }: Place, index: number, member: string): Place => ({
  at: `${at}/${index}/${member}`,
  depth: depth + 1,
})

/** Whether there is more to look at: the nesting and the number of faults are bounded. */
function mayGoOn(walk: Walk, { at, depth }: Place): boolean {
  if (depth <= mostDepth) return walk.faults.length < mostFaults
  walk.faults.push({ pointer: at, detail: `nests deeper than ${mostDepth} levels` })
  return false
}

function note(walk: Walk, check: Check, value: unknown, pointer: string): boolean {
  const found = check(value)
  walk.faults.push(...found.map((fault) => ({ pointer: `${pointer}${fault.pointer}`, detail: fault.detail })))
  return found.length === 0
}

function walkGroups(walk: Walk, groups: readonly Group[], place: Place): void {
  for (const [index, group] of groups.entries()) {
    if (!mayGoOn(walk, place)) return
    if (!note(walk, checks.group, group, `${place.at}/${index}`)) continue
    walkGroups(walk, group.groups ?? [], below(place, index, 'groups'))
    walkControls(walk, group.controls ?? [], below(place, index, 'controls'))
  }
}

function walkControls(walk: Walk, controls: readonly Control[], place: Place): void {
  for (const [index, control] of controls.entries()) {
    if (!mayGoOn(walk, place)) return
    const pointer = `${place.at}/${index}`
    if (!note(walk, checks.control, control, pointer)) continue
    walk.controls += 1
    if (walk.controls > mostControls)
      walk.faults.push({ pointer, detail: `there are more than ${mostControls} controls` })
    if (walk.ids.has(control.id)) walk.faults.push({ pointer: `${pointer}/id`, detail: `${control.id} is there twice` })
    walk.ids.add(control.id)
    walkParts(walk, control.parts ?? [], below(place, index, 'parts'))
    walkControls(walk, control.controls ?? [], below(place, index, 'controls'))
  }
}

function walkParts(walk: Walk, parts: readonly Part[], place: Place): void {
  for (const [index, part] of parts.entries()) {
    if (!mayGoOn(walk, place)) return
    if (note(walk, checks.part, part, `${place.at}/${index}`))
      walkParts(walk, part.parts ?? [], below(place, index, 'parts'))
  }
}
