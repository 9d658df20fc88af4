/** Inference over the mappings of a tenant and those that come with the program, from the live state of its controls. */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import {
  type ControlName,
  type Inference,
  indexMappings,
  infer,
  type Mapping,
  type SourceState,
} from '../crosswalk/infer.ts'
import { shippedMappings } from '../crosswalk/shipped.ts'
import type { FrameworkRow } from '../declared/framework-schema.ts'
import type { MappingRow } from '../declared/mapping-schema.ts'
import { liveTerms, scoredControls } from './live-terms.ts'

export interface Inferring {
  /** Inheritance of a control, by `<framework key> <ref>`. */
  readonly infer: (control: ControlName) => Inference
  /** Adopted controls that mappings lead to from a control: they may rise with it. */
  readonly leverage: (control: ControlName) => number
}

export async function inferenceFor(tx: Tx, atMs: number): Promise<Inferring> {
  const [index, states] = [indexMappings(await allMappings(tx)), await statesOf(tx, atMs)]
  return {
    infer: (control) => infer(control, index, (name) => states.get(name) ?? null),
    leverage: (control) => {
      const hops = (index.get(control) ?? []).filter(({ relation }) => relation !== 'no-relationship')
      return new Set(hops.flatMap(({ from }) => (states.has(from) ? [from] : []))).size
    },
  }
}

async function allMappings(tx: Tx): Promise<readonly Mapping[]> {
  const rows = await tx.query(sql<MappingRow>`
    select id, source_key, target_key, sources, targets, relation, strength, coverage, confidence
    from compliance_mapping`)
  return [
    ...shippedMappings,
    ...rows.flatMap(({ id, source_key, target_key, sources, targets, relation, strength, coverage, confidence }) =>
      // A relation of several controls together says nothing of one of them alone.
      sources.length === 1 && targets.length === 1
        ? [
            {
              ...{ id, relation, strength, coverage, confidence },
              source: `${source_key} ${sources[0] ?? ''}`,
              target: `${target_key} ${targets[0] ?? ''}`,
            },
          ]
        : [],
    ),
  ]
}

async function statesOf(tx: Tx, atMs: number): Promise<ReadonlyMap<ControlName, SourceState>> {
  const adopted = await tx.query(sql<Pick<FrameworkRow, 'id' | 'key'>>`
    select id, key from compliance_framework where adoption = 'adopted'`)
  const keys = new Map(adopted.map(({ id, key }) => [id, key]))
  const live = await liveTerms(tx, { frameworks: adopted, atMs })
  return new Map(
    (await scoredControls(tx, [...keys.keys()])).map((row) => {
      const { result, score } = live.terms(row)
      return [`${keys.get(row.framework_id) ?? ''} ${row.ref}`, { result, value: score ?? 0 }]
    }),
  )
}
