/**
 * STIX 2.1 bundles, such as MITRE ATT&CK. A bundle of STIX 2.0 is read as one of 2.1: of the members that are read here,
 * none has changed. Relationships are kept as references. Pure. Tested in stix.test.ts.
 */
import { type ThreatContent, type ThreatType, threatTypes } from '../library/schema.ts'
import {
  type Content,
  endOf,
  type Fields,
  fieldsAt,
  ImportFault,
  isFields,
  listAt,
  maybeTextAt,
  type ReadThreat,
  type Relation,
  type Skipped,
  textAt,
  textsAt,
} from './read.ts'

const idPattern = /^([a-z0-9-]+)--[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const relationKinds: Readonly<Record<string, readonly [kind: Relation['kind'], source: string | null]>> = {
  mitigates: ['mitigation', 'course-of-action'],
  uses: ['group', null],
  'subtechnique-of': ['parent', 'attack-pattern'],
  'revoked-by': ['successor', null],
}
/** Their use of a technique counts as that of a group. */
const groupTypes: ReadonlySet<string> = new Set(['intrusion-set', 'threat-actor', 'campaign'])

/** @throws ImportFault */
export function readStix(bundle: unknown): Content {
  const fields = fieldsAt(bundle, '/content')
  if (fields.type !== 'bundle') throw new ImportFault('/content/type', 'A STIX file is an object of the type bundle.')
  const objects = listAt(fields.objects, '/content/objects').map((object, i) =>
    objectOf(object, `/content/objects/${i}`),
  )
  const known = new Set(objects.map(({ id }) => id))
  const relationships = objects.filter(({ type }) => type === 'relationship')
  const threats = objects.flatMap((object) => threatOf(object))
  const relations = relationships.flatMap(relationOf)
  return {
    threats: relations.length === 0 ? threats : withRelations(threats, relations),
    relations: relations.filter(({ source, target }) => !known.has(source) || !known.has(target)),
    unresolved: unresolvedOf(relationships, known),
    skipped: skippedOf(objects),
  }
}

/** The lists of a bundle that has relations are all there is: a technique without mitigations has none any more. */
function withRelations(threats: readonly ReadThreat[], relations: readonly Relation[]): readonly ReadThreat[] {
  const externals = new Map(threats.map(({ fields }) => [fields.stix_id, fields.external_id]))
  const named = new Map<string, Map<Relation['kind'], Set<string>>>()
  for (const relation of relations) {
    const { of, names } = endOf(relation)
    const external = externals.get(names)
    if (external === undefined) continue
    const kinds = named.get(of) ?? new Map<Relation['kind'], Set<string>>()
    kinds.set(relation.kind, (kinds.get(relation.kind) ?? new Set()).add(external))
    named.set(of, kinds)
  }
  return threats.map((threat) => {
    const kinds = named.get(threat.fields.stix_id ?? '')
    const [parent = null] = kinds?.get('parent') ?? []
    const [successor = null] = kinds?.get('successor') ?? []
    const lists = {
      mitigations: [...(kinds?.get('mitigation') ?? [])].sort(),
      groups: [...(kinds?.get('group') ?? [])].sort(),
      parent_id: parent,
    }
    const isTechnique = threat.fields.type === 'attack-pattern'
    return { ...threat, fields: { ...threat.fields, ...(isTechnique ? lists : {}), revoked_by: successor } }
  })
}

interface StixObject {
  readonly type: string
  readonly id: string
  readonly fields: Fields
  readonly pointer: string
}

function objectOf(value: unknown, pointer: string): StixObject {
  const fields = fieldsAt(value, pointer)
  const type = textAt(fields, 'type', { pointer, most: 100 })
  const id = textAt(fields, 'id', { pointer, most: 150 })
  if (idPattern.exec(id)?.[1] !== type)
    throw new ImportFault(`${pointer}/id`, `This is no STIX id of the type ${type}.`)
  return { type, id, fields, pointer }
}

const typeOf = (type: string): ThreatType | undefined =>
  type === 'x-mitre-tactic' ? 'tactic' : threatTypes.find((one) => one === type && one !== 'tactic')

function threatOf({ type: stixType, id, fields, pointer }: StixObject): readonly ReadThreat[] {
  const type = typeOf(stixType)
  if (type === undefined) return []
  const reference = referenceOf(fields)
  const source = sourceOf(reference?.name)
  const external = reference?.id ?? id
  const tactics = type === 'tactic' ? [] : phasesOf(fields, pointer)
  const content: Partial<ThreatContent> = {
    source,
    external_id: external,
    stix_id: id,
    type,
    name: textAt(fields, 'name', { pointer }),
    tactics,
    platforms: textsAt(fields, 'x_mitre_platforms', pointer),
    aliases: textsAt(fields, 'aliases', pointer),
    revoked: fields.revoked === true,
    deprecated: fields.x_mitre_deprecated === true,
    object_version: maybeTextAt(fields, 'x_mitre_version', { pointer, most: 40 }),
    modified_at: timeAt(fields, pointer),
  }
  return [{ key: source === 'cve' ? `cve:${external}` : id, fields: content }]
}

/** The first reference that gives an id. */
function referenceOf({
  external_references: references,
}: Fields): { readonly name: string; readonly id: string } | null {
  if (!Array.isArray(references)) return null
  for (const reference of references) {
    if (!isFields(reference)) continue
    const { source_name: name, external_id: id } = reference
    if (typeof name === 'string' && typeof id === 'string' && id !== '' && id.length <= 200) return { name, id }
  }
  return null
}

function sourceOf(name: string | undefined): ThreatContent['source'] {
  if (name === 'cve') return 'cve'
  if (name === 'mitre-atlas' || name === 'atlas') return 'atlas'
  return name?.startsWith('mitre-') === true ? 'attack' : 'custom'
}

function phasesOf(fields: Fields, pointer: string): string[] {
  if (fields.kill_chain_phases === undefined) return []
  return listAt(fields.kill_chain_phases, `${pointer}/kill_chain_phases`).map((phase, i) => {
    const at = `${pointer}/kill_chain_phases/${i}`
    return textAt(fieldsAt(phase, at), 'phase_name', { pointer: at, most: 100 })
  })
}

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

function timeAt({ modified }: Fields, pointer: string): string | null {
  if (modified === undefined) return null
  const ms = typeof modified === 'string' && timePattern.test(modified) ? Date.parse(modified) : Number.NaN
  if (Number.isNaN(ms)) throw new ImportFault(`${pointer}/modified`, 'This must be a time in UTC.')
  return new Date(ms).toISOString()
}

const endsOf = ({ fields, pointer }: StixObject): { readonly source: string; readonly target: string } => ({
  source: textAt(fields, 'source_ref', { pointer, most: 150 }),
  target: textAt(fields, 'target_ref', { pointer, most: 150 }),
})

function relationOf(object: StixObject): readonly Relation[] {
  const { relationship_type: name, revoked } = object.fields
  const [kind, needed] = relationKinds[String(name)] ?? []
  const { source, target } = endsOf(object)
  const [from = ''] = source.split('--')
  const isNamed =
    kind === 'group'
      ? groupTypes.has(from) && target.startsWith('attack-pattern--')
      : needed === null || needed === from
  return kind === undefined || revoked === true || !isNamed ? [] : [{ kind, source, target }]
}

function unresolvedOf(relationships: readonly StixObject[], known: ReadonlySet<string>): Content['unresolved'] {
  const missing = new Map<string, string>()
  for (const object of relationships) {
    const { source, target } = endsOf(object)
    if (!known.has(source) && !missing.has(source)) missing.set(source, `${object.pointer}/source_ref`)
    if (!known.has(target) && !missing.has(target)) missing.set(target, `${object.pointer}/target_ref`)
  }
  return [...missing].map(([id, pointer]) => ({ id, pointer }))
}

/** One entry for each type that the library does not keep. */
function skippedOf(objects: readonly StixObject[]): readonly Skipped[] {
  const counts = new Map<string, { pointer: string; count: number }>()
  for (const { type, pointer } of objects) {
    if (type === 'relationship' || typeOf(type) !== undefined) continue
    const counted = counts.get(type)
    if (counted === undefined) counts.set(type, { pointer, count: 1 })
    else counted.count += 1
  }
  return [...counts].map(([type, { pointer, count }]) => ({
    pointer,
    reason: `The library keeps no objects of the type ${type}: ${count} in this bundle.`,
  }))
}
