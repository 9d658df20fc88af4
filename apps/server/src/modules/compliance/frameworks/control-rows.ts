/** Rows of the controls of a framework, as nobody has looked at them yet. */
import type { Tx } from '../../../kernel/db/port.ts'
import { insertMany } from '../../../kernel/db/rows.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { newRow } from '../../../kernel/resource/resource.ts'
import type { BuiltinCatalog } from '../catalogs/form.ts'
import type { ControlRow } from '../declared/control-schema.ts'
import { controls } from '../declared/control-table.ts'
import type { ImportedControl } from '../documents/content.ts'

/** Rows of one statement. */
const batch = 2_000

type Parts = Pick<Kernel, 'clock' | 'random'>

export async function addControls(
  kernel: Parts,
  tx: Tx,
  frameworkId: string,
  defined: readonly ImportedControl[],
): Promise<void> {
  const rows = defined.map(
    (one, position): ControlRow => ({
      ...newRow(kernel, tx),
      ...{ framework_id: frameworkId, position, ref: one.ref, parent_ref: one.parent_ref, group_ref: one.group_ref },
      ...{ title: one.title, statement: one.statement, guidance: one.guidance, withdrawn: one.withdrawn },
      ...{ needs_review: one.needs_review, weight: one.weight },
      params: one.params.map(({ id, label, values }) => ({ id, label: label.slice(0, 1000), values: [...values] })),
      ...unseen,
    }),
  )
  for (let at = 0; at < rows.length; at += batch) await insertMany(tx, controls, rows.slice(at, at + batch))
}

const unseen: Pick<ControlRow, Unseen> = {
  ...{ applicable: true, justification: null, implementation_status: 'not_started', implementation_note: null },
  ...{ owner_user_id: null, maturity_claimed: null, result: 'not_assessed', result_share: null, grading: null },
  ...{ result_at: null, assessment_id: null, due_at: null, remediation: [], decisions: [] },
}

type Unseen =
  | ('applicable' | 'justification' | 'implementation_status' | 'implementation_note' | 'owner_user_id')
  | ('maturity_claimed' | 'result' | 'result_share' | 'grading' | 'result_at' | 'assessment_id' | 'due_at')
  | ('remediation' | 'decisions')

/** Controls of a catalog that comes with the program. */
export const controlsIn = (catalog: BuiltinCatalog): readonly ImportedControl[] =>
  catalog.groups.flatMap((group) =>
    group.controls.map(({ ref, title, statement, roles, applies_to: appliesTo }) => ({
      ...{ ref, parent_ref: null, group_ref: group.id, title, withdrawn: false, needs_review: false, params: [] },
      statement: statement ?? null,
      guidance: roles === undefined ? null : `Duty of: ${roles.join(', ')}. Applies to: ${appliesTo ?? 'all'}.`,
      weight: 1,
    })),
  )
