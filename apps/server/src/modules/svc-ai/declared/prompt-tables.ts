import { table } from '../../../kernel/db/table.ts'
import { PromptLabelRow, PromptRow } from './prompt-schema.ts'

const data = { category: 'configuration', subject: [], retention: 'tenant', erasure: 'none' } as const

/** Versions of prompts: none is ever changed. */
export const prompts = table({
  name: 'svc_ai_prompt',
  noun: 'prompt',
  row: PromptRow,
  sorts: ['created_at', 'name'],
  appendOnly: true,
  // The system role removes them with their tenant.
  system: true,
  data: { ...data, subject: ['created_by'], erasure: 'keep_pseudonymous' },
})

/** The version that each label names. */
export const promptLabels = table({ name: 'svc_ai_prompt_label', noun: 'label', row: PromptLabelRow, data })
