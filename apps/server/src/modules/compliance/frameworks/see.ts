/** One framework with the parts that were asked for. */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import { catalogOfKey } from '../catalogs/catalogs.ts'
import { timetables } from '../catalogs/timetables.ts'
import type { ControlRow } from '../declared/control-schema.ts'
import type { Framework, FrameworkRow } from '../declared/framework-schema.ts'
import { inferenceFor } from '../live/inference.ts'
import { liveScores } from '../live/live-terms.ts'
import { controlsIn } from './control-rows.ts'
import { frameworkView } from './frameworks.ts'

export interface Seen {
  readonly row: FrameworkRow
  readonly include: ReadonlySet<string>
}

export async function seeFramework(
  { clock }: Pick<Kernel, 'clock'>,
  tx: Tx,
  { row, include }: Seen,
): Promise<Versioned<Framework>> {
  const view = frameworkView(row, await liveScores(tx, [row], clock.now()))
  const parts = {
    ...(include.has('tree') ? { tree: await treeOf(tx, row) } : {}),
    ...(include.has('crosswalk') ? { crosswalk: await crosswalkOf(tx, row, clock.now()) } : {}),
    ...(include.has('timetables') && row.key === 'eu-ai-act' ? { timetables: shownTimetables() } : {}),
  }
  return new Versioned({ ...view, ...parts }, row.version)
}

const shownTimetables = (): NonNullable<Framework['timetables']> =>
  timetables.map(({ rows, ...rest }) => ({ ...rest, rows: rows.map((one) => ({ ...one })) }))

type Tree = NonNullable<Framework['tree']>

async function treeOf(tx: Tx, row: FrameworkRow): Promise<Tree> {
  const rows = await tx.query(sql<ControlRow>`
    select id, ref, parent_ref, group_ref, title, withdrawn, needs_review
    from compliance_control where framework_id = ${row.id} order by position`)
  const catalog = row.source === 'builtin' ? catalogOfKey(row.key) : null
  if (rows.length > 0 || catalog === null)
    return rows.map(({ id, ref, parent_ref, group_ref, title, withdrawn, needs_review }) => ({
      ...{ control_id: id, ref, parent_ref, group_ref, title, withdrawn, needs_review },
    }))
  return controlsIn(catalog).map(({ ref, parent_ref, group_ref, title, withdrawn, needs_review }) => ({
    ...{ control_id: null, ref, parent_ref, group_ref, title, withdrawn, needs_review },
  }))
}

/** Of each framework that mappings lead from: how the controls of this one are covered. */
async function crosswalkOf(tx: Tx, row: FrameworkRow, atMs: number): Promise<NonNullable<Framework['crosswalk']>> {
  const inference = await inferenceFor(tx, atMs)
  const refs = (await treeOf(tx, row)).filter(({ withdrawn }) => !withdrawn).map(({ ref }) => ref)
  const counts = new Map<
    string,
    { exact: number; full: number; partial: number; conflict: number; seen: Set<string> }
  >()
  for (const ref of refs) {
    const { inherited, conflict } = inference.infer(`${row.key} ${ref}`)
    for (const { path, relation } of inherited) {
      const from = (path[0] ?? '').split(' ')[0] ?? ''
      const count = counts.get(from) ?? { exact: 0, full: 0, partial: 0, conflict: 0, seen: new Set<string>() }
      counts.set(from, count)
      if (count.seen.has(ref)) continue
      count.seen.add(ref)
      if (conflict) count.conflict += 1
      else if (relation === 'equal-to') count.exact += 1
      else if (relation === 'superset-of') count.full += 1
      else count.partial += 1
    }
  }
  return [...counts].map(([framework, { seen, ...rest }]) => ({
    framework,
    ...rest,
    unmapped: refs.length - seen.size,
  }))
}
