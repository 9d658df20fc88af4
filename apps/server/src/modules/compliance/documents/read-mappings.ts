/** Mapping collections of OSCAL 1.2 as entries between frameworks. Pure. Tested in read-task.test.ts. */
import { relationOf } from '../crosswalk/relations.ts'
import { DocumentFault } from '../oscal/fault.ts'
import type { MapEntry, MappingCollection } from '../oscal/model.ts'
import type { MappingEntry, MappingsContent } from './content.ts'

/** @throws DocumentFault */
export function readMappings(collection: MappingCollection): MappingsContent {
  return {
    kind: 'mappings',
    title: collection.metadata.title.slice(0, 500),
    collections: collection.mappings.map((mapping, index) => ({
      source: keyOf(mapping['source-resource'].href, index),
      target: keyOf(mapping['target-resource'].href, index),
      entries: mapping.maps.map((entry, at) => entryOf(entry, `/mapping-collection/mappings/${index}/maps/${at}`)),
    })),
  }
}

const urn = 'urn:parapet:framework:'

export const hrefOf = (key: string): string => `${urn}${key}`

/** Nothing is fetched: the href names a framework by its key. */
function keyOf(href: string, index: number): string {
  const key = href.startsWith(urn) ? href.slice(urn.length) : href.replace(/^#/, '')
  if (/^[a-z0-9][a-z0-9.-]{0,99}$/.test(key)) return key
  throw new DocumentFault('unresolved', 'A mapping names its frameworks by their keys; nothing is fetched.', [
    { pointer: `/mapping-collection/mappings/${index}`, detail: `write ${urn}<key> instead of ${href.slice(0, 200)}` },
  ])
}

function entryOf(entry: MapEntry, pointer: string): MappingEntry {
  const relation = relationOf(entry.relationship)
  if (relation === null)
    throw new DocumentFault('relation', entry.relationship.slice(0, 60), [
      { pointer: `${pointer}/relationship`, detail: 'names no relation' },
    ])
  const strength = Number((entry.props ?? []).find(({ name }) => name === 'strength')?.value)
  return {
    sources: entry.sources.map((item) => item['id-ref']),
    targets: entry.targets.map((item) => item['id-ref']),
    relation,
    rationale: entry['matching-rationale']?.slice(0, 40) ?? null,
    reason: entry.remarks?.slice(0, 2000) ?? null,
    strength: Number.isInteger(strength) && strength >= 1 && strength <= 10 ? strength : null,
    coverage: shareIn(entry.coverage?.['target-coverage']),
    confidence: shareIn(entry['confidence-score']?.percentage) ?? 1,
  }
}

const shareIn = (value: unknown): number | null =>
  typeof value === 'number' && value >= 0 && value <= 1 ? value : null
