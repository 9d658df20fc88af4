/**
 * Prompt templates by version. Promises that a version never changes, that versions of a name are numbered without a gap,
 * and that a label names one version at a time. Tested in chat.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { sha256 } from '../../../kernel/crypto/digest.ts'
import { likePrefix } from '../../../kernel/db/like-prefix.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { join, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type {
  NewPrompt,
  NewPromptAnswer,
  Prompt,
  PromptFilter,
  PromptRow,
  Values,
  Variable,
} from '../declared/prompt-schema.ts'
import { prompts } from '../declared/prompt-tables.ts'
import { errors } from '../errors/errors.ts'
import { readTemplate, renderTemplate, TemplateFault } from './render.ts'

export interface PromptList {
  readonly page: PageRequest
  readonly filter: PromptFilter
}

export async function listPrompts(tx: Tx, { page, filter }: PromptList): Promise<Page<Prompt>> {
  const { q, name, version, label } = filter
  const where = [
    sql`true`,
    ...(q === undefined ? [] : [sql`name like ${likePrefix(q)}`]),
    ...(name === undefined ? [] : [sql`name = ${name}`]),
    ...(version === undefined ? [] : [sql`number = ${version}`]),
    ...(label === undefined
      ? []
      : [
          sql`exists (select from svc_ai_prompt_label held where held.name = svc_ai_prompt.name
      and held.number = svc_ai_prompt.number and held.label = ${label})`,
        ]),
  ]
  const found = await prompts.page(tx, page, join(where, ' and '))
  const labels = await labelsOf(tx, found.items)
  return { ...found, items: found.items.map((row) => promptView(row, labels)) }
}

type Labels = ReadonlyMap<string, string[]>

async function labelsOf(tx: Tx, rows: readonly PromptRow[]): Promise<Labels> {
  if (rows.length === 0) return new Map()
  const names = [...new Set(rows.map(({ name }) => name))]
  const held = await tx.query(sql<{ name: string; number: number; label: string }>`
    select name, number, label from svc_ai_prompt_label where name = any(${names}::text[]) order by label`)
  const labels = new Map<string, string[]>()
  for (const { name, number, label } of held) {
    const key = `${name} ${number}`
    labels.set(key, [...(labels.get(key) ?? []), label])
  }
  return labels
}

function promptView({ number, ...row }: PromptRow, labels: Labels): Prompt {
  return { ...row, version: number, labels: labels.get(`${row.name} ${number}`) ?? [] }
}

export interface Making {
  readonly actor: Actor
  readonly input: NewPrompt
}

/** @throws SVC-018, SVC-019 */
export async function createPrompt(kernel: Kernel, tx: Tx, { actor, input }: Making): Promise<NewPromptAnswer> {
  const { name, template, labels = [], expected_version: expected, preview_variables: values } = input
  const variables = (input.variables ?? []).map(
    ({ type = 'string', required = true, ...variable }): Variable => ({ ...variable, type, required }),
  )
  const preview = refusingFaults('/template', () => {
    readTemplate(template, variables)
    return values === undefined ? null : renderTemplate(template, variables, values)
  })
  await tx.lock('svc-ai.prompt', name)
  const newest = await tx.first(
    sql<{ number: number }>`select number from svc_ai_prompt where name = ${name} order by number desc limit 1`,
  )
  const known = newest?.number ?? 0
  if (expected !== undefined && expected !== known)
    throw errors.versionDiffers({ version: known }).at([{ detail: 'is not the newest', pointer: '/expected_version' }])
  const row: PromptRow = {
    ...{ id: kernel.random.uuid(), tenant_id: tx.tenantId, created_at: kernel.clock.iso(), name, number: known + 1 },
    ...{ template, variables, description: input.description ?? null, sha256: sha256(template) },
    created_by: actor.userId,
  }
  await prompts.insert(tx, row)
  for (const label of new Set(labels)) await moveLabel(kernel, tx, row, label)
  await tx.audit('svc_ai.prompt.create', {
    target: `svc_ai_prompt:${row.id}`,
    after: { name, version: row.number, sha256: row.sha256, labels },
  })
  return { ...promptView(row, await labelsOf(tx, [row])), preview }
}

async function moveLabel({ random, clock }: Kernel, tx: Tx, { name, number }: PromptRow, label: string): Promise<void> {
  await tx.execute(sql`
    insert into svc_ai_prompt_label (id, created_at, name, label, number)
    values (${random.uuid()}, ${clock.iso()}, ${name}, ${label}, ${number})
    on conflict (tenant_id, name, label) do update set number = excluded.number, created_at = excluded.created_at`)
}

function refusingFaults<T>(pointer: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error
    throw errors.templateInvalid({ what: error.message }).at([{ detail: error.message, pointer }])
  }
}

export interface UsedPrompt {
  readonly name: string
  readonly version?: number | undefined
  readonly label?: string | undefined
  readonly variables?: Values | undefined
}

/** The text of a prompt for a call: of a version, of a label, or the newest. @throws SVC-001, SVC-018 */
export async function promptText(
  { db }: Pick<Kernel, 'db'>,
  { tenantId }: Pick<Tx, 'tenantId'>,
  { name, version, label, variables = {} }: UsedPrompt,
): Promise<string> {
  const [row] = await db.read(
    tenantId,
    sql<PromptRow>`
      select ${prompts.columns} from svc_ai_prompt
      where name = ${name} and (${version ?? null}::int is null or number = ${version ?? null}::int)
        and (${label ?? null}::text is null or number = (
          select held.number from svc_ai_prompt_label held where held.name = ${name} and held.label = ${label ?? null}::text))
      order by number desc limit 1`,
  )
  if (row === undefined)
    throw errors
      .unknownReference({ what: `There is no such version of the prompt "${name}".` })
      .at([{ detail: 'names no prompt', pointer: '/prompt/name' }])
  return refusingFaults('/prompt/variables', () => renderTemplate(row.template, row.variables, variables))
}
