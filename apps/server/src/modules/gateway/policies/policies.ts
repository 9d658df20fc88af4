import type { Actor } from '../../../kernel/access/actor.ts'
import { canonicalHash } from '../../../kernel/crypto/canonical-json.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import type { Precondition } from '../../../kernel/http/answer/etag.ts'
import { applyMergePatch } from '../../../kernel/http/body/merge-patch.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { change, create, hold, newRow } from '../../../kernel/resource/resource.ts'
import type { RepeatableCall } from '../../../kernel/second-person/call.ts'
import type { IamApi } from '../../iam/api.ts'
import { errors } from '../declared/errors.ts'
import { type Classifiers, installedOf } from '../detection/classifiers/classifiers.ts'
import { readDocument } from '../policy/check.ts'
import { complete } from '../policy/defaults.ts'
import { type PolicyDocument, PolicyDocumentInput } from '../policy/document.ts'
import { policyTemplates } from '../policy/templates.ts'
import { keepTenantPolicy, knownBindings } from './policy-bindings.ts'
import { loosens, needTwoPeople } from './policy-four-eyes.ts'
import { publishPolicy } from './policy-publication.ts'
import { policyResource, versionOf } from './policy-resource.ts'
import type { Binding, CreatePolicy, PatchPolicy, PolicyDocumentPatch, PolicyRow } from './schema.ts'
import { policies, policyVersions } from './tables.ts'

type Parts = Pick<Kernel, 'clock' | 'random'>

interface Rules {
  readonly kernel: Parts & Pick<Kernel, 'platformKeys'>
  readonly iam: IamApi
  readonly classifiers: Pick<Classifiers, 'names' | 'topicModel'>
}

/** Creates a draft with its first version. @throws GW-026, GW-031 */
export async function createPolicy(
  { kernel: parts, iam, classifiers }: Rules,
  tx: Tx,
  actor: Actor,
  input: CreatePolicy,
): Promise<PolicyRow> {
  const written = patchedDocument(policyTemplates[input.from_template ?? 'baseline'], input.document)
  const document = readDocument(written, installedOf(classifiers))
  const bindings = await knownBindings(iam, tx, input.bindings ?? [])
  const row = newPolicy(parts, tx, { ...input, bindings })
  await create(tx, policyResource, row, { action: 'gateway.policy.create' })
  await addVersion(parts, tx, { policy: row, document, note: input.note ?? null, authorId: actor.userId })
  return row
}

function newPolicy(
  parts: Parts,
  tx: Tx,
  input: { readonly name: string; readonly description?: string; readonly bindings: readonly Binding[] },
): PolicyRow {
  return {
    ...newRow(parts, tx),
    name: input.name,
    description: input.description ?? null,
    status: 'draft',
    active_version: null,
    latest_version: 1,
    bindings: [...input.bindings],
  }
}

interface NewVersion {
  readonly policy: PolicyRow
  readonly document: PolicyDocument
  readonly note: string | null
  readonly authorId: string | null
}

/** A version is never changed once it is stored; log rows refer to its number and hash. */
async function addVersion(
  { clock, random }: Parts,
  tx: Tx,
  { policy, document, note, authorId }: NewVersion,
): Promise<void> {
  await policyVersions.insert(tx, {
    id: random.uuid(),
    tenant_id: tx.tenantId,
    policy_id: policy.id,
    number: policy.latest_version,
    document: mutable(document),
    sha256: canonicalHash(document),
    note,
    author_id: authorId,
    published_at: null,
    published_by: null,
    replaced_at: null,
    created_at: clock.iso(),
  })
}

/** The stored form of a document; the same value, in the type its column has. */
function mutable(document: PolicyDocument): PolicyDocumentInput {
  return structuredClone(document) as PolicyDocumentInput
}

export interface PolicyChange {
  readonly input: PatchPolicy
  readonly precondition: Precondition
  readonly repeatable: RepeatableCall
}

/** A new document is a new draft version; the live one stays live. @throws API-013, API-012, GW-025, GW-026, GW-031 */
export async function patchPolicy(
  rules: Rules,
  tx: Tx,
  actor: Actor,
  { id, input, precondition, repeatable }: PolicyChange & { readonly id: string },
): Promise<PolicyRow> {
  const held = await hold(tx, policyResource, { id, precondition })
  const { row } = held
  const changes = await changesOf(rules, tx, row, input)
  const wanted = { ...row, ...changes }
  await keepTenantPolicy(tx, row, wanted)
  const asked = await askedBefore(rules, tx, actor, { row, patched: wanted, call: repeatable })
  const patched = await change(rules.kernel, tx, held, {
    action: 'gateway.policy.update',
    changes,
    after: (changed) => ({ ...changed, ...asked }),
  })
  if (patched.latest_version > row.latest_version) {
    const document = await documentAfter(rules, tx, row, input)
    await addVersion(rules.kernel, tx, {
      policy: patched,
      document,
      note: input.note ?? null,
      authorId: actor.userId,
    })
  }
  return patched
}

async function changesOf({ iam }: Rules, tx: Tx, row: PolicyRow, input: PatchPolicy) {
  const { document, from_template: template, note: _note, bindings: wanted, confirm_token: _token, ...fields } = input
  if (row.status === 'archived') throw errors.policyTransition({ what: 'An archived policy does not change.' })
  const bindings = wanted === undefined ? row.bindings : [...(await knownBindings(iam, tx, wanted))]
  if (fields.status === 'archived' && bindings.length > 0)
    throw errors.policyTransition({ what: 'A policy that is bound cannot be archived.' })
  const changesDocument = document !== undefined || template !== undefined
  return {
    ...fields,
    bindings,
    latest_version: changesDocument ? row.latest_version + 1 : row.latest_version,
  }
}

interface Loosening {
  readonly row: PolicyRow
  readonly patched: PolicyRow
  readonly call: RepeatableCall
}

/** The person who requested the change first, if it takes two people. @throws GW-025 */
async function askedBefore(
  { kernel, iam }: Rules,
  tx: Tx,
  actor: Actor,
  { row, patched, call }: Loosening,
): Promise<{ readonly asked_by?: string }> {
  if (!loosens(row, patched) || !(await iam.policyRules(tx)).fourEyes) return {}
  return { asked_by: await needTwoPeople(kernel, tx, actor, { row, call }) }
}

async function documentAfter(
  { classifiers }: Rules,
  tx: Tx,
  row: PolicyRow,
  { document: patch, from_template: template }: PatchPolicy,
): Promise<PolicyDocument> {
  const base = template === undefined ? await baseOfPatch(tx, row) : policyTemplates[template]
  return readDocument(patchedDocument(base, patch), installedOf(classifiers))
}

/** Base of a patch: the latest version, or the live one if the latest was published before and rolled back. */
async function baseOfPatch(tx: Tx, row: PolicyRow): Promise<PolicyDocumentInput> {
  const latest = await versionOf(tx, row.id, row.latest_version)
  const shown =
    latest !== null && latest.published_at !== null && row.active_version !== null
      ? await versionOf(tx, row.id, row.active_version)
      : latest
  if (shown === null) throw new Error(`The policy ${row.id} has no version to change.`)
  return shown.document
}

function patchedDocument(base: PolicyDocumentInput, patch: PolicyDocumentPatch = {}): PolicyDocumentInput {
  return applyMergePatch(PolicyDocumentInput, base, patch)
}

/** The policy every new tenant begins with: published and bound to everybody. */
export async function seedBaseline(parts: Parts, tx: Tx): Promise<void> {
  const row = newPolicy(parts, tx, {
    name: 'baseline',
    description: 'Applies to everybody: injections are blocked, personal data and secrets are hidden from providers.',
    bindings: [{ kind: 'tenant' }],
  })
  await policies.insert(tx, row)
  await addVersion(parts, tx, { policy: row, document: complete(policyTemplates.baseline), note: null, authorId: null })
  await publishPolicy(parts, tx, null, { id: row.id, version: 1 })
}
