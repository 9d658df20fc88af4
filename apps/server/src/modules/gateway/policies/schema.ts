import Type, { type Static } from 'typebox'
import { mergePatchOf } from '../../../kernel/http/body/merge-patch.ts'
import { nullable, oneOf, resource, Slug, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { PolicyDocumentInput } from '../policy/document.ts'
import { policyTemplateNames } from '../policy/templates.ts'

const opt = Type.Optional
const Note = Type.String({ maxLength: 500 })
const Description = Type.String({ maxLength: 2000 })
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$', maxLength: 64 })
const Version = Type.Integer({ minimum: 1, maximum: 1_000_000 })

export const bindingKinds = ['tenant', 'role', 'group', 'user', 'key', 'agent', 'route'] as const

/** An agent is a service account, whose keys act for it. The whole tenant needs no value; every other kind names one. */
export const Binding = strictObject({
  kind: oneOf(...bindingKinds),
  value: opt(Type.String({ minLength: 1, maxLength: 64, pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$' })),
  priority: opt(
    Type.Integer({
      minimum: 0,
      maximum: 1000,
      description:
        'Of policies that apply to one call the strictest word counts, whatever their priority. The higher one (default 0) decides where no word is stricter: the default model, the words beside a block, the brackets of placeholders, which system text comes first.',
    }),
  ),
})
export type Binding = Static<typeof Binding>
const Bindings = Type.Array(Binding, { maxItems: 200 })

export const policyStatuses = ['draft', 'published', 'archived'] as const

const VersionFacts = strictObject({
  number: Version,
  author_id: nullable(Uuid),
  note: nullable(Note),
  sha256: Sha256,
  created_at: Timestamp,
  published_at: nullable(Timestamp),
  published_by: nullable(Uuid),
  replaced_at: nullable(Timestamp),
})

const facts = {
  name: Slug,
  description: nullable(Description),
  status: oneOf(...policyStatuses),
  active_version: nullable(Version),
  latest_version: Version,
  bindings: Bindings,
}

/** As listed: without its document, and with the entity tag that a change names in `If-Match`. */
export const PolicySummary = resource({ ...facts, etag: Type.String({ maxLength: 64 }) })
export type PolicySummary = Static<typeof PolicySummary>

export const Policy = resource({
  ...facts,
  /** The version the document is of. */
  version: Version,
  sha256: Sha256,
  document: PolicyDocumentInput,
  versions: opt(Type.Array(VersionFacts)),
  effective: opt(
    strictObject({
      sources: Type.Array(strictObject({ id: Uuid, version: Version, sha256: Sha256 })),
      document: Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', additionalProperties: true }),
    }),
  ),
  /** RFC 6902: makes the document shown of the one of `from`. */
  diff: opt(
    strictObject({
      from: Version,
      patch: Type.Array(
        strictObject({
          op: oneOf('add', 'remove', 'replace'),
          path: Type.String(),
          value: opt(Type.Unsafe<unknown>({ description: 'Any JSON.' })),
        }),
      ),
    }),
  ),
  previous_version: opt(nullable(Version)),
})
export type Policy = Static<typeof Policy>

export const PolicyDocumentPatch = mergePatchOf(PolicyDocumentInput)
export type PolicyDocumentPatch = Static<typeof PolicyDocumentPatch>

const PolicyTemplate = oneOf(...policyTemplateNames)

export const CreatePolicy = strictObject({
  name: Slug,
  description: opt(Description),
  document: opt(
    Type.Unsafe<PolicyDocumentPatch>({
      ...PolicyDocumentPatch,
      description: 'Laid over the template as a merge patch (RFC 7396); without one, over the defaults.',
    }),
  ),
  from_template: opt(PolicyTemplate),
  bindings: opt(Bindings),
  note: opt(Note),
})
export type CreatePolicy = Static<typeof CreatePolicy>

const ConfirmToken = Type.String({
  minLength: 1,
  maxLength: 512,
  description: 'Where two people are needed: of who asked first.',
})

export const PatchPolicy = strictObject({
  name: opt(Slug),
  description: opt(nullable(Description)),
  document: opt(
    Type.Unsafe<PolicyDocumentPatch>({
      ...PolicyDocumentPatch,
      description:
        'A merge patch (RFC 7396) of the draft, or of the live version where there is none: what is not named stays, ' +
        'lists are replaced, null takes a member back to its default (`max_output_tokens`: null is no bound).',
    }),
  ),
  from_template: opt(
    Type.Unsafe<Static<typeof PolicyTemplate>>({
      ...PolicyTemplate,
      description:
        'Begins again from this template, over which `document` is laid; `baseline` holds nothing but the defaults.',
    }),
  ),
  bindings: opt(Bindings),
  status: opt(Type.Literal('archived')),
  note: opt(Note),
  confirm_token: opt(ConfirmToken),
})
export type PatchPolicy = Static<typeof PatchPolicy>

export const PublishPolicy = strictObject({
  version: Version,
  note: opt(Note),
  approve: opt(Type.Boolean({ description: 'Says that who publishes has read the version; some tenants demand it.' })),
  confirm_token: opt(ConfirmToken),
})
export type PublishPolicy = Static<typeof PublishPolicy>

export const PolicyFilter = strictObject({
  status: opt(oneOf(...policyStatuses)),
  binding: opt(oneOf(...bindingKinds)),
})

export const PolicyQuery = strictObject({
  version: opt(Version),
  include: opt(Type.Literal('versions', { type: 'string' })),
  diff: opt(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'What changed since this version.' })),
  effective_for: opt(
    Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: '^[\\x21-\\x7e]+$',
      description: 'Id of a key, user or agent.',
    }),
  ),
})
export type PolicyQuery = Static<typeof PolicyQuery>

export const PolicyRow = strictObject({
  id: Uuid,
  tenant_id: Uuid,
  name: Slug,
  description: nullable(Description),
  status: oneOf(...policyStatuses),
  active_version: nullable(Version),
  latest_version: Version,
  bindings: Bindings,
  version: Version,
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type PolicyRow = Static<typeof PolicyRow>

export const PolicyVersionRow = strictObject({
  id: Uuid,
  tenant_id: Uuid,
  policy_id: Uuid,
  number: Version,
  document: PolicyDocumentInput,
  sha256: Sha256,
  note: nullable(Note),
  author_id: nullable(Uuid),
  published_at: nullable(Timestamp),
  published_by: nullable(Uuid),
  replaced_at: nullable(Timestamp),
  created_at: Timestamp,
})
export type PolicyVersionRow = Static<typeof PolicyVersionRow>
