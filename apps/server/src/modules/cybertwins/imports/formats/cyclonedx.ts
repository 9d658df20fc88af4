/**
 * CycloneDX 1.4 to 1.7 as JSON: components with package URLs become software, dependencies relations, and vulnerabilities
 * with their analysis (VEX) those of the components that they affect. Pure. Tested in read-task.test.ts.
 */
import type { ReadAsset, ReadRelation, ReadVulnerability, TwinContent, VexStatement } from '../../assets/content.ts'
import { plainRelation } from '../../assets/content.ts'
import { vectorFault } from '../../assets/merge.ts'
import type { ExternalId } from '../../declared/asset-schema.ts'
import { type VexState, vexStates } from '../../declared/words.ts'
import { ContentFault, type Fields, fieldsAt, listAt, SkippedParts, textOf } from './read.ts'

const versions = /^1\.[4-7]$/
const mostComponents = 50_000

interface Component {
  readonly ref: string
  readonly fields: Fields
  readonly pointer: string
  readonly vulnerabilities: Map<string, ReadVulnerability>
}

/** @throws ContentFault */
export function readCycloneDx(document: unknown): TwinContent {
  const top = fieldsAt(document, '/content')
  if (top.bomFormat !== 'CycloneDX')
    throw new ContentFault('/content/bomFormat', 'A CycloneDX file has the `bomFormat` CycloneDX.')
  if (typeof top.specVersion !== 'string' || !versions.test(top.specVersion))
    throw new ContentFault('/content/specVersion', 'Versions 1.4 to 1.7 are read.')
  const skipped = new SkippedParts()
  const components = componentsOf(top)
  const vex = vulnerabilitiesOf(top, components, skipped)
  const assets = [...components.values()].map(assetOf)
  const places = new Map([...components.keys()].map((ref, place) => [ref, place]))
  return { assets, relations: dependenciesOf(top, places, skipped), vex, skipped: skipped.all() }
}

function componentsOf(top: Fields): ReadonlyMap<string, Component> {
  const found = new Map<string, Component>()
  const add = (value: unknown, pointer: string): void => {
    const fields = fieldsAt(value, pointer)
    if (textOf(fields.name) === null) throw new ContentFault(`${pointer}/name`, 'A component needs a name.')
    const ref = textOf(fields['bom-ref'], 500) ?? textOf(fields.purl, 500) ?? pointer
    if (!found.has(ref)) found.set(ref, { ref, fields, pointer, vulnerabilities: new Map() })
    if (found.size > mostComponents) throw new ContentFault(pointer, `At most ${mostComponents} components are read.`)
    for (const [i, part] of listAt(fields.components, `${pointer}/components`).entries())
      add(part, `${pointer}/components/${i}`)
  }
  const metadata = top.metadata === undefined ? {} : fieldsAt(top.metadata, '/content/metadata')
  if (metadata.component !== undefined) add(metadata.component, '/content/metadata/component')
  for (const [i, part] of listAt(top.components, '/content/components').entries()) add(part, `/content/components/${i}`)
  return found
}

const kinds: Readonly<Record<string, ReadAsset['kind']>> = {
  container: 'container',
  'machine-learning-model': 'model',
  data: 'data_store',
  device: 'host',
}

function assetOf({ ref, fields, pointer, vulnerabilities }: Component): ReadAsset {
  const version = textOf(fields.version, 60)
  const name = textOf(fields.name) ?? ref
  return {
    kind: kinds[String(fields.type)] ?? 'software',
    name: (version === null ? name : `${name} ${version}`).slice(0, 300),
    externalIds: idsOf(fields, ref),
    fields: version === null ? {} : { properties: [{ name: 'version', value: version }] },
    vulnerabilities: [...vulnerabilities.values()],
    pointer,
  }
}

function idsOf(fields: Fields, ref: string): ExternalId[] {
  const purl = textOf(fields.purl, 500)
  const digest = listAt(fields.hashes, '').flatMap((one) =>
    typeof one === 'object' && one !== null && 'alg' in one && one.alg === 'SHA-256' && 'content' in one
      ? [String(one.content).toLowerCase().slice(0, 64)]
      : [],
  )
  return [
    ...(purl === null ? [] : [{ source: 'purl', id: purl }]),
    ...digest.slice(0, 1).map((id) => ({ source: 'sha256', id })),
    ...(purl === null && digest.length === 0 ? [{ source: 'bom-ref', id: ref }] : []),
  ]
}

function vulnerabilitiesOf(
  top: Fields,
  components: ReadonlyMap<string, Component>,
  skipped: SkippedParts,
): VexStatement[] {
  const statements: VexStatement[] = []
  for (const [i, value] of listAt(top.vulnerabilities, '/content/vulnerabilities').entries()) {
    const pointer = `/content/vulnerabilities/${i}`
    const fields = fieldsAt(value, pointer)
    const id = textOf(fields.id, 64)
    if (id === null) {
      skipped.add(`${pointer}/id`, 'A vulnerability needs an id.')
      continue
    }
    const { state, vector } = { state: stateOf(fields, pointer), vector: vectorOf(fields, pointer, skipped) }
    for (const [j, affected] of listAt(fields.affects, `${pointer}/affects`).entries()) {
      const ref = textOf(fieldsAt(affected, `${pointer}/affects/${j}`).ref, 500)
      const component = ref === null ? undefined : components.get(ref)
      if (component !== undefined)
        component.vulnerabilities.set(id, { id, vex_state: state, ...(vector === null ? {} : { cvss_vector: vector }) })
      else if (ref?.startsWith('pkg:') === true)
        statements.push({ key: `purl:${ref}`, id, state, pointer: `${pointer}/affects/${j}` })
      else skipped.add(`${pointer}/affects/${j}/ref`, 'The file has no component of this reference.')
    }
  }
  return statements
}

/** @throws ContentFault for a state that CycloneDX does not have */
function stateOf(fields: Fields, pointer: string): VexState {
  if (fields.analysis === undefined) return 'in_triage'
  const { state } = fieldsAt(fields.analysis, `${pointer}/analysis`)
  const known = vexStates.find((one) => one === state)
  if (state === undefined) return 'in_triage'
  if (known === undefined)
    throw new ContentFault(`${pointer}/analysis/state`, `This must be one of: ${vexStates.join(', ')}.`)
  return known
}

/** The first rating of CVSS 4.0, else of 3.1. */
function vectorOf(fields: Fields, pointer: string, skipped: SkippedParts): string | null {
  const vectors = listAt(fields.ratings, `${pointer}/ratings`).flatMap((rating, i) => {
    const vector = textOf(fieldsAt(rating, `${pointer}/ratings/${i}`).vector, 512)
    if (vector === null || !/^CVSS:(4\.0|3\.[01])\//.test(vector)) return []
    const fault = vectorFault(vector)
    if (fault === null) return [vector]
    skipped.add(`${pointer}/ratings/${i}/vector`, fault)
    return []
  })
  return vectors.find((vector) => vector.startsWith('CVSS:4.0/')) ?? vectors[0] ?? null
}

/** A component leads to whatever depends on it. */
function dependenciesOf(top: Fields, places: ReadonlyMap<string, number>, skipped: SkippedParts): ReadRelation[] {
  return listAt(top.dependencies, '/content/dependencies').flatMap((value, i) => {
    const pointer = `/content/dependencies/${i}`
    const fields = fieldsAt(value, pointer)
    const target = places.get(textOf(fields.ref, 500) ?? '')
    return listAt(fields.dependsOn, `${pointer}/dependsOn`).flatMap((part, j) => {
      const source = places.get(textOf(part, 500) ?? '')
      if (source !== undefined && target !== undefined)
        return [plainRelation({ place: source }, 'depends_on', { place: target }, `${pointer}/dependsOn/${j}`)]
      skipped.add(`${pointer}/dependsOn/${j}`, 'The file has no component of this reference.')
      return []
    })
  })
}
