import Type from 'typebox'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { acceptedForm } from '../../../kernel/http/answer/accept.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { Answer, routesOf } from '../../../kernel/module/route.ts'
import { strictObject } from '../../../kernel/schema/types.ts'
import { performChecks } from '../checks/perform.ts'
import { checkOf } from '../checks/registry.ts'
import { Evidence, EvidenceFilter, ListedEvidence, NewEvidence } from '../declared/evidence-schema.ts'
import { evidence } from '../declared/evidence-tables.ts'
import { errors } from '../errors/errors.ts'
import { addEvidence } from '../evidence/add-evidence.ts'
import { evidenceFile, verifiedBytes } from '../evidence/content.ts'
import { mediaTypes } from '../evidence/file-types.ts'
import { evidenceView, listEvidence, proofOf, recordsOf, viewOf } from '../evidence/find.ts'
import { verifyChain } from '../evidence/verify.ts'
import type { ComplianceServices } from '../services/compliance-services.ts'

const route = routesOf<ComplianceServices>()
const files = ['application/octet-stream', ...mediaTypes.filter((type) => type !== 'application/json')]

export const evidenceRoutes = [
  route.get('/evidence', {
    permission: 'compliance:read',
    summary: 'List the evidence, or verify its chain',
    description:
      'With `verify=true` the hash chain is recomputed from `from_seq` on, and `meta.verification` says whether it is intact, or where it first breaks.',
    query: EvidenceFilter,
    returns: [200, ListedEvidence],
    list: { table: evidence, default: '-created_at' },
    ownTransactions: true,
    errors: [apiErrors.validation],
    handler: async (context) => {
      const { kernel, page, query } = context
      const scope = { ...scopeOf(context), readOnly: true }
      const found = await kernel.db.tenant(scope, (tx) =>
        listEvidence(tx, { page, filter: query, atMs: kernel.clock.now() }),
      )
      if (query.verify !== true) return found
      return new Answer(found, { meta: { verification: await verifyChain(kernel, scope, query.from_seq) } })
    },
  }),
  route.post('/evidence', {
    permission: 'compliance:write',
    summary: 'Add evidence, or run a check now',
    description:
      '`check_run` runs the check `check_id`. `document`, `system_export` and `external_result` take a `file`; `attestation` takes `attestation_text`; `link` takes a `url`, with `sha256` of what it leads to. With `evidence_id` it is another version. A file with another digest than `sha256` is refused. Files are not scanned for malware here, and their records say so.',
    body: NewEvidence,
    bodyLimit: 28 * 1_048_576,
    returns: [201, Evidence],
    audit: 'compliance.evidence.create',
    rateClass: 'expensive',
    ownTransactions: true,
    errors: [
      apiErrors.validation,
      apiErrors.tooLarge,
      apiErrors.notFound,
      apiErrors.storageFull,
      errors.illegalMove,
      errors.fileRefused,
      errors.unsafeArchive,
      errors.digestDiffers,
      errors.checkUnknown,
    ],
    handler: async (context) => {
      const { kernel, services, actor, body: input } = context
      const scope = scopeOf(context)
      const row =
        input.kind === 'check_run'
          ? await runNow(services, scope, input.check_id)
          : await addEvidence(kernel, { scope, actor, input })
      return kernel.db.tenant({ ...scope, readOnly: true }, (tx) => evidenceView(tx, row, kernel.clock.now()))
    },
  }),
  route.get('/evidence/{evidence_id}', {
    permission: 'compliance:read',
    summary: 'See evidence with its proof, or download its content',
    description:
      'With an `Accept` of the content’s type, or `application/octet-stream`, it is the file itself, of `version` or the newest; each download is in the audit log. `verify=true` hashes the stored content again. `proof` is an RFC 6962 audit path of the newest record to a signed root over the whole chain.',
    query: strictObject({
      version: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
      verify: Type.Optional(Type.Boolean()),
    }),
    returns: [200, Evidence],
    files,
    ownTransactions: true,
    errors: [apiErrors.notFound, errors.storeUnavailable, errors.contentChanged, errors.formatUnavailable],
    handler: async (context) => {
      const { kernel, params, query } = context
      const scope = scopeOf(context)
      const form = acceptedForm(context.request.header('accept'), ['application/json', ...files])
      if (form !== 'application/json')
        return evidenceFile(kernel, { scope, evidenceId: params.evidence_id, number: query.version, form })
      const { view, newest } = await kernel.db.tenant({ ...scope, readOnly: true }, async (tx) => {
        const row = await evidence.need(tx, params.evidence_id)
        const rows = await recordsOf(tx, row.id)
        const seen = await viewOf(tx, row, { rows, atMs: kernel.clock.now() })
        return { view: { ...seen, proof: await proofOf(kernel, tx, rows.at(-1)) }, newest: rows.at(-1) }
      })
      if (query.verify !== true || newest === undefined) return view
      await verifiedBytes(kernel, scope, newest)
      return { ...view, verified: true }
    },
  }),
]

/** @throws COMP-017 */
async function runNow(
  services: ComplianceServices,
  scope: ReturnType<typeof scopeOf>,
  id: string | undefined,
): Promise<Awaited<ReturnType<typeof performChecks>>[0]> {
  const check = checkOf(id ?? '')
  if (check === null)
    throw errors
      .checkUnknown({ what: id === undefined ? 'A check run needs the `check_id`.' : 'There is no such check.' })
      .at([{ detail: 'names no check', pointer: '/check_id' }])
  const [row] = await performChecks(services, { scope, checks: [check], cause: null })
  if (row === undefined) throw new Error('a check without a run')
  return row
}
