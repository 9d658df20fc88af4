/**
 * Import of Sigma rules. Promises that all that can be compiled is stored in one transaction, and that the rest is named
 * with its construct and place. The text is opened in the room for files of strangers. Tested in rules.test.ts.
 */
import type { TenantScope } from '../../../kernel/db/port.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { create } from '../../../kernel/resource/resource.ts'
import { UnpackError } from '../../../kernel/unpack/port.ts'
import { errors } from '../errors/errors.ts'
import type { ImportReport, RuleRow } from './declared/schema.ts'
import { ruleResource } from './declared/tables.ts'
import { armAbsence } from './detection/absence.ts'
import { compileRule } from './engine/compile.ts'
import { defaultCooldown, ruleRow } from './rules.ts'
import { mostDocuments, splitDocuments } from './sigma/documents.ts'
import { type Imported, type ImportedRule, importSigma, type Opened } from './sigma/import.ts'

export interface ImportRequest {
  readonly text: string
  readonly dryRun: boolean
}

/**
 * @throws API-001 for text without documents or with too many
 * @throws AEGIS-013 where not one rule could be read, with the place of each refusal
 */
export async function importRules(
  kernel: Kernel,
  scope: TenantScope,
  { text, dryRun }: ImportRequest,
): Promise<ImportReport> {
  const documents = splitDocuments(text)
  if (documents.length === 0 || documents.length > mostDocuments) {
    const detail = `The text has ${documents.length} documents; it may have 1 to ${mostDocuments}.`
    throw apiErrors.validation({ what: detail }).at([{ detail, pointer: '/text' }])
  }
  const imported = importSigma(await openAll(kernel, documents))
  if (dryRun) return reportOf({ imported, dryRun, documents: documents.length, ids: [] })
  refuseNone(imported)
  const rows = await kernel.db.tenant(scope, async (tx) => {
    const stored: RuleRow[] = []
    for (const rule of imported.rules) {
      const row = ruleRow(kernel, tx, describedBy(rule))
      await create(tx, ruleResource, row, { action: 'aegis.detection_rule.create' })
      await armAbsence(kernel, tx, row)
      stored.push(row)
    }
    return stored
  })
  return reportOf({ imported, dryRun, documents: documents.length, ids: rows.map(({ id }) => id) })
}

const describedBy = ({ heading, category, definition, text }: ImportedRule) => ({
  name: heading.title,
  description: heading.description,
  category,
  definition,
  compiled: compileRule(definition),
  tags: [...heading.tags],
  level: heading.level,
  cooldown_seconds: defaultCooldown,
  source: 'sigma' as const,
  source_text: text,
})

async function openAll(kernel: Kernel, documents: readonly string[]): Promise<readonly Opened[]> {
  const opened: Opened[] = []
  for (const text of documents) {
    try {
      opened.push({ text, value: await kernel.unpack.yaml(Buffer.from(text)), fault: null })
    } catch (error) {
      if (!(error instanceof UnpackError)) throw error
      opened.push({ text, value: null, fault: error.message })
    }
  }
  return opened
}

/** @throws AEGIS-013 */
function refuseNone({ rules, refused }: Imported): void {
  const [first] = refused
  if (rules.length > 0 || first === undefined) return
  throw errors
    .unsupportedRule({ construct: first.construct, what: first.detail })
    .at(
      refused
        .slice(0, 50)
        .map(({ document, pointer, detail }) => ({ detail: `Document ${document}: ${detail}`, pointer })),
    )
}

interface Reported {
  readonly imported: Imported
  readonly dryRun: boolean
  readonly documents: number
  readonly ids: readonly string[]
}

function reportOf({ imported, dryRun, documents, ids }: Reported): ImportReport {
  return {
    dry_run: dryRun,
    documents,
    created: imported.rules.map(({ heading, definition }, index) => ({
      id: ids[index] ?? null,
      name: heading.title,
      type: definition.type,
      level: heading.level,
    })),
    embedded: [...imported.embedded],
    refused: [...imported.refused],
  }
}
