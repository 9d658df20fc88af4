/**
 * STIX 2.1 (and 2.0): infrastructure, identities, software and tools become assets, vulnerabilities those of the assets
 * that have them, relationships steps. Knowledge about attackers is for the threat library. Pure. Tested in read-task.test.ts.
 */
import {
  plainRelation,
  type ReadAsset,
  type ReadRelation,
  type ReadVulnerability,
  type TwinContent,
} from '../../assets/content.ts'
import { type AssetKind, assetKinds, exposures, type RelationKind, relationKinds } from '../../declared/words.ts'
import { ContentFault, type Fields, fieldsAt, listAt, SkippedParts, textOf } from './read.ts'

const idPattern = /^([a-z0-9-]+)--[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const kinds: Readonly<Record<string, AssetKind>> = {
  infrastructure: 'host',
  identity: 'identity',
  software: 'software',
  tool: 'software',
  location: 'network',
}

/** Relationships of STIX in the direction of attack; `true` turns them around. */
const standard: Readonly<Record<string, readonly [RelationKind, boolean]>> = {
  'communicates-with': ['network_reach', false],
  'consists-of': ['depends_on', true],
  controls: ['admin_of', false],
  hosts: ['runs_on', true],
  uses: ['trusts', true],
  'depends-on': ['depends_on', false],
}

interface StixObject {
  readonly type: string
  readonly id: string
  readonly fields: Fields
  readonly pointer: string
}

/** @throws ContentFault */
export function readStix(bundle: unknown): TwinContent {
  const top = fieldsAt(bundle, '/content')
  if (top.type !== 'bundle') throw new ContentFault('/content/type', 'A STIX file is an object of the type bundle.')
  const objects = listAt(top.objects, '/content/objects').map((one, i) => objectOf(one, `/content/objects/${i}`))
  const skipped = new SkippedParts()
  const relationships = objects.filter(({ type }) => type === 'relationship')
  const known = vulnerabilitiesOf(objects)
  const having = havingOf(relationships, known)
  const assets = objects.flatMap((object) => assetOf(object, having, skipped))
  const places = new Map(assets.map(({ externalIds: [first] }, place) => [first?.id ?? '', place]))
  const relations = relationships.flatMap((one) => relationOf(one, { places, known, skipped }))
  return { assets, relations, vex: [], skipped: skipped.all() }
}

function objectOf(value: unknown, pointer: string): StixObject {
  const fields = fieldsAt(value, pointer)
  const [type, id] = [textOf(fields.type, 100), textOf(fields.id, 200)]
  if (type === null) throw new ContentFault(`${pointer}/type`, 'An object of STIX needs a type.')
  if (id === null || idPattern.exec(id)?.[1] !== type)
    throw new ContentFault(`${pointer}/id`, `This is no STIX id of the type ${type}.`)
  return { type, id, fields, pointer }
}

type Known = ReadonlyMap<string, ReadVulnerability>

function vulnerabilitiesOf(objects: readonly StixObject[]): Known {
  return new Map(
    objects
      .filter(({ type }) => type === 'vulnerability')
      .flatMap(({ id, fields }) => {
        const name = cveOf(fields) ?? textOf(fields.name, 64)
        return name === null ? [] : [[id, { id: name }] as const]
      }),
  )
}

function cveOf({ external_references: references }: Fields): string | null {
  const found = (Array.isArray(references) ? references : []).find(
    (one) => typeof one === 'object' && one !== null && one.source_name === 'cve',
  )
  return textOf(found?.external_id, 64)
}

/** Vulnerabilities by the object that has them. */
function havingOf(relationships: readonly StixObject[], known: Known): ReadonlyMap<string, ReadVulnerability[]> {
  const having = new Map<string, ReadVulnerability[]>()
  for (const { fields } of relationships) {
    const vulnerability = known.get(String(fields.target_ref))
    if (vulnerability === undefined || fields.relationship_type !== 'has') continue
    const owner = String(fields.source_ref)
    having.set(owner, [...(having.get(owner) ?? []), vulnerability])
  }
  return having
}

function assetOf(
  { type, id, fields, pointer }: StixObject,
  having: ReadonlyMap<string, ReadVulnerability[]>,
  skipped: SkippedParts,
): ReadAsset[] {
  const kind = assetKinds.find((one) => one === fields.x_parapet_kind) ?? kinds[type]
  if (type === 'relationship' || type === 'vulnerability') return []
  if (kind === undefined) {
    skipped.add(pointer, `Objects of the type ${type} are no assets.`)
    return []
  }
  const name = textOf(fields.name)
  if (name === null) {
    skipped.add(`${pointer}/name`, 'The object has no name.')
    return []
  }
  const vulnerabilities = having.get(id)
  const isPerson = kind === 'identity' && fields.identity_class === 'individual'
  return [
    {
      ...{ kind: isPerson ? 'human' : kind, name, externalIds: [{ source: 'stix', id }], fields: ownFields(fields) },
      ...(vulnerabilities === undefined ? {} : { vulnerabilities }),
      pointer,
    },
  ]
}

/** Members that this product writes into its own bundles. */
function ownFields(fields: Fields): ReadAsset['fields'] {
  const exposure = exposures.find((one) => one === fields.x_parapet_exposure)
  const criticality = fields.x_parapet_criticality
  const isLevel = typeof criticality === 'number' && [1, 2, 3, 4, 5].includes(criticality)
  return {
    ...(exposure === undefined ? {} : { exposure }),
    ...(isLevel ? { criticality } : {}),
    ...(typeof fields.x_parapet_crown_jewel === 'boolean' ? { crown_jewel: fields.x_parapet_crown_jewel } : {}),
    ...(typeof fields.x_parapet_entry_point === 'boolean' ? { entry_point: fields.x_parapet_entry_point } : {}),
  }
}

interface Reading {
  readonly places: ReadonlyMap<string, number>
  readonly known: Known
  readonly skipped: SkippedParts
}

function relationOf({ fields, pointer }: StixObject, { places, known, skipped }: Reading): ReadRelation[] {
  const type = textOf(fields.relationship_type, 100) ?? ''
  if (type === 'has' && known.has(String(fields.target_ref))) return []
  const own = relationKinds.find((kind) => kind === type.replaceAll('-', '_'))
  const [kind, isTurned] = own === undefined ? (standard[type] ?? [undefined, false]) : [own, false]
  const [source, target] = [places.get(String(fields.source_ref)), places.get(String(fields.target_ref))]
  if (kind === undefined || source === undefined || target === undefined) {
    skipped.add(
      pointer,
      kind === undefined ? `Relationships \`${type}\` are no steps.` : 'An end is no asset of the file.',
    )
    return []
  }
  const [from, to] = isTurned ? [target, source] : [source, target]
  return [plainRelation({ place: from }, kind, { place: to }, pointer)]
}
