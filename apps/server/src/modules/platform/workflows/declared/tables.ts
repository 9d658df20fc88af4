import { table } from '../../../../kernel/db/table.ts'
import { RunRow, RunStepRow, WorkflowRow, WorkflowVersionRow } from './schema.ts'

const data = { category: 'automation', retention: 'tenant', erasure: 'keep_pseudonymous' } as const

export const workflows = table({
  name: 'platform_workflow',
  noun: 'workflow',
  row: WorkflowRow,
  sorts: ['created_at', 'key'],
  data: { ...data, subject: ['owner_id'] },
})

export const workflowVersions = table({
  name: 'platform_workflow_version',
  noun: 'version',
  row: WorkflowVersionRow,
  appendOnly: true,
  system: true,
  data: { ...data, subject: ['created_by'] },
})

export const runs = table({
  name: 'platform_run',
  noun: 'run',
  row: RunRow,
  sorts: ['created_at'],
  dueBy: ['ended_at'],
  data: { ...data, subject: ['requested_by', 'owner_id'], retention: 'P365D' },
})

export const runSteps = table({
  name: 'platform_run_step',
  noun: 'step',
  row: RunStepRow,
  data: { ...data, subject: [], erasure: 'none', retention: 'P365D' },
})
